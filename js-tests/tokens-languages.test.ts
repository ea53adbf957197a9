// The estimate for languages that the logs don't have. docs/tokens.md shows these figures.
import { readFileSync } from 'node:fs';
import { estimateTokens } from 'densify';
import { loadTokenizer } from 'densify/tokens';
import { describe, expect, test } from 'vitest';

/** One sentence of each language. */
const TEXTS = {
  English:
    'First we read the configuration file and found that the default value does not match the documentation, so the test failed. ',
  German:
    'Zuerst haben wir die Konfigurationsdatei gelesen und festgestellt, dass der Standardwert nicht mit der Dokumentation übereinstimmt. ',
  French:
    "Nous avons d'abord lu le fichier de configuration et constaté que la valeur par défaut ne correspond pas à la documentation. ",
  Spanish:
    'Primero leímos el archivo de configuración y vimos que el valor predeterminado no coincide con la documentación. ',
  Turkish:
    'Önce yapılandırma dosyasını okuduk ve varsayılan değerin belgelerle eşleşmediğini gördük, bu yüzden test başarısız oldu. ',
  Vietnamese: 'Đầu tiên chúng tôi đọc tệp cấu hình và nhận thấy giá trị mặc định không khớp với tài liệu. ',
  Russian:
    'Сначала мы прочитали конфигурационный файл и обнаружили, что значение по умолчанию не совпадает с документацией, поэтому тест завершился ошибкой. ',
  Georgian: 'თავდაპირველად წავიკითხეთ კონფიგურაციის ფაილი და აღმოვაჩინეთ რომ ნაგულისხმევი მნიშვნელობა არ ემთხვევა. ',
  Arabic: 'في البداية قرأنا ملف الإعدادات ووجدنا أن القيمة الافتراضية لا تتطابق مع الوثائق ولذلك فشل الاختبار. ',
  Hebrew: 'תחילה קראנו את קובץ התצורה וגילינו שערך ברירת המחדל אינו תואם לתיעוד ולכן הבדיקה נכשלה. ',
  Hindi: 'पहले हमने कॉन्फ़िगरेशन फ़ाइल पढ़ी और पाया कि डिफ़ॉल्ट मान दस्तावेज़ से मेल नहीं खाता, इसलिए परीक्षण विफल हो गया। ',
  Thai: 'ตอนแรกเราอ่านไฟล์การตั้งค่าและพบว่าค่าเริ่มต้นไม่ตรงกับเอกสาร ดังนั้นการทดสอบจึงล้มเหลว ',
  Burmese: 'ပထမဆုံး ကျွန်ုပ်တို့သည် ဖိုင်ကို ဖတ်ခဲ့သည်။ ',
  Chinese: '首先我们读取了配置文件,发现默认值与文档不一致,因此测试失败了。我们需要修改代码并重新运行。',
  Japanese:
    '最初に設定ファイルを読み込んだところ、既定値がドキュメントと一致していないことがわかり、テストが失敗しました。',
  Korean: '먼저 설정 파일을 읽어 보니 기본값이 문서와 일치하지 않아 테스트가 실패했습니다. ',
  mathematics: '∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ ∧ ∑ᵢ αᵢ ≤ β ',
} as const;

describe('beside o200k_base', async () => {
  const { count } = await loadTokenizer('o200k_base');
  const guide = readFileSync(new URL('../docs/tokens.md', import.meta.url), 'utf8');
  const ratios = Object.entries(TEXTS).map(([language, sentence]) => {
    const text = sentence.repeat(10);
    return [language, (estimateTokens(text) / count(text)).toFixed(2)] as const;
  });
  console.log(`estimate : exact, ${ratios.map(([language, ratio]) => `${language} ${ratio}`).join(', ')}`);

  test.each(ratios)('%s, %s times', (language, ratio) => {
    expect(guide).toContain(`${language} ${ratio}`);
    expect(Math.abs(Math.log(Number(ratio)))).toBeLessThan(Math.log(1.7));
  });
});
