//! Estimates against counts, and the promises that hold for every text.

use proptest::prelude::*;

use crate::cases::cases;

use super::estimate::{Estimator, estimate, image_tokens, media_tokens};

/// The kind of text, its number of tokens (`o200k_base`, counted with tiktoken), and the text.
type Sample = (&'static str, u32, &'static str);

/// What coding agents read and write all day.
const WORK: &[Sample] = &[
    (
        "English prose",
        53,
        "The estimator walks over the text once and keeps a running sum. It never looks back, so the caller may hand over a long answer in many small chunks, and the number stays the same. That matters when a conversation grows by a few lines at a time.",
    ),
    (
        "English chat",
        30,
        "Hi! I don't think that's right: we've already fixed the login bug last week, didn't we? Let's check the changelog before anyone starts over.",
    ),
    (
        "Rust",
        109,
        "fn merge(left: &[u32], right: &[u32]) -> Vec<u32> {\n    let mut merged = Vec::with_capacity(left.len() + right.len());\n    let (mut first, mut second) = (left.iter().peekable(), right.iter().peekable());\n    while let (Some(one), Some(two)) = (first.peek(), second.peek()) {\n        merged.extend(if one <= two { first.next() } else { second.next() });\n    }\n    merged.extend(first.chain(second));\n    merged\n}\n",
    ),
    (
        "Python",
        92,
        "class OrderBook:\n    \"\"\"Keeps open orders by customer id.\"\"\"\n\n    def __init__(self, limit=100):\n        self._orders = {}\n        self.limit = limit\n\n    def add_order(self, customer_id, order):\n        if len(self._orders.get(customer_id, [])) >= self.limit:\n            raise ValueError(f\"too many orders for {customer_id!r}\")\n        self._orders.setdefault(customer_id, []).append(order)\n",
    ),
    (
        "TypeScript",
        58,
        "export async function loadSettings(path: string): Promise<Settings> {\n  const raw = await readFile(path, \"utf8\");\n  const parsed = JSON.parse(raw) as Partial<Settings>;\n  return { ...defaultSettings, ...parsed, updatedAt: Date.now() };\n}\n",
    ),
    (
        "JSON",
        50,
        "{\"id\":\"call_0017\",\"name\":\"read_file\",\"parameters\":{\"file_path\":\"src/server/router.ts\",\"offset\":120,\"limit\":40},\"metadata\":{\"startedAt\":1731000000,\"retries\":0,\"ok\":true}}",
    ),
    (
        "escaped JSON",
        46,
        "{\"command\":\"bash -lc \\\"cargo test -- --nocapture\\\"\",\"output\":\"running 3 tests\\ntest parses_empty ... ok\\ntest parses_dates ... FAILED\\n\\nfailures:\\n    parses_dates\\n\"}",
    ),
    (
        "shell output",
        119,
        "total 24\ndrwxr-xr-x  5 user user 4096 Nov 12 09:41 .\ndrwxr-xr-x 18 user user 4096 Nov 12 09:40 ..\n-rw-r--r--  1 user user  743 Nov 12 09:41 Cargo.toml\n-rw-r--r--  1 user user 1290 Nov 12 09:41 README.md\ndrwxr-xr-x  2 user user 4096 Nov 12 09:41 src\n",
    ),
    (
        "stack trace",
        75,
        "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1495:16)\n    at async Pool.connect (/app/node_modules/pg-pool/index.js:45:11)\n    at async main (/app/dist/server.js:88:3)\n",
    ),
    (
        "diff",
        69,
        "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -12,7 +12,7 @@ impl Cache {\n     pub fn get(&self, key: &str) -> Option<&Entry> {\n-        self.entries.get(key)\n+        self.entries.get(key).filter(|entry| !entry.is_expired())\n     }\n",
    ),
    (
        "Markdown table",
        47,
        "| Option | Default | Meaning |\n|---|---|---|\n| `retries` | 3 | How often a request is repeated |\n| `timeout` | 30 s | After which time it is given up |\n",
    ),
    (
        "minified JavaScript",
        71,
        "!function(t,e){\"object\"==typeof exports?module.exports=e():t.Queue=e()}(this,function(){function t(t){this.a=[],this.n=t||8}return t.prototype.push=function(t){return this.a.length<this.n&&(this.a.push(t),!0)},t.prototype.shift=function(){return this.a.shift()},t});",
    ),
    (
        "camel and snake case",
        30,
        "parseHttpRequestHeader get_user_by_email MAX_RETRY_COUNT isValidIPv6Address XMLHttpRequest to_string_lossy onBeforeUnmount kDefaultTimeoutMs",
    ),
    ("numbers", 47, "2026-11-21 04:30:00.123 1234567890 3.14159265 0xdeadbeef 192.168.0.1 42 1,000,000"),
    (
        "base64",
        87,
        "btwE39wsrigg3JYHrhEDDp2bpk7S7KEJ3qLH98YZ6ZDxm8fV+NkYOuNtCx/kjTQdgA0XtIZAri2RYtw6SUnlTA==ryvb4aqbbsHireHWlPQfxxqDHQJo6YkVYhE9imKt0b8=",
    ),
    ("hexadecimal", 38, "4e1dcefe5c9d3fe821271b3aca35c56853e4def0bd72584fabb81c074a9e8944"),
];

/// Other languages and signs; each was written for this table.
const WORLD: &[Sample] = &[
    (
        "German",
        35,
        "Die Schätzung läuft einmal über den Text und merkt sich nur die Summe. Größere Dateien werden in Stücken übergeben, ohne dass sich das Ergebnis ändert.",
    ),
    (
        "French",
        32,
        "L'estimation parcourt le texte une seule fois et ne garde que la somme. Les gros fichiers sont transmis par morceaux, sans que le résultat ne change.",
    ),
    (
        "Polish",
        40,
        "Szacowanie przechodzi przez tekst tylko raz i pamięta jedynie sumę. Większe pliki są przekazywane w kawałkach, a wynik się nie zmienia.",
    ),
    (
        "Russian",
        32,
        "Оценка проходит по тексту один раз и хранит только сумму. Большие файлы передаются частями, и результат при этом не меняется.",
    ),
    (
        "Greek",
        38,
        "Η εκτίμηση διαβάζει το κείμενο μία φορά και κρατά μόνο το άθροισμα. Τα μεγάλα αρχεία δίνονται σε κομμάτια.",
    ),
    (
        "Arabic",
        32,
        "يمر التقدير على النص مرة واحدة ويحتفظ بالمجموع فقط. تُمرَّر الملفات الكبيرة على أجزاء دون أن تتغير النتيجة.",
    ),
    (
        "Hebrew",
        38,
        "ההערכה עוברת על הטקסט פעם אחת ושומרת רק את הסכום. קבצים גדולים נמסרים בחלקים והתוצאה אינה משתנה.",
    ),
    (
        "Hindi",
        36,
        "यह अनुमान पाठ को केवल एक बार पढ़ता है और सिर्फ़ योग याद रखता है। बड़ी फ़ाइलें टुकड़ों में दी जाती हैं और परिणाम नहीं बदलता।",
    ),
    ("Thai", 37, "การประมาณค่าอ่านข้อความเพียงครั้งเดียวและจำเฉพาะผลรวม ไฟล์ขนาดใหญ่จะถูกส่งเป็นส่วน ๆ โดยที่ผลลัพธ์ไม่เปลี่ยน"),
    (
        "Chinese",
        42,
        "这个估算器只读一遍文本，并且只记住总和。大文件可以分成小块传入，结果不会改变。我们昨天已经修复了登录页面的错误。",
    ),
    (
        "Traditional Chinese",
        38,
        "這個估算器只讀一遍文字，並且只記住總和。大檔案可以分成小塊傳入，結果不會改變。",
    ),
    (
        "Japanese",
        46,
        "この推定器は文章を一度だけ読み、合計だけを覚えています。大きなファイルは小さな部分に分けて渡せますが、結果は変わりません。",
    ),
    (
        "Korean",
        39,
        "이 추정기는 글을 한 번만 읽고 합계만 기억합니다. 큰 파일은 작은 조각으로 나누어 전달할 수 있으며 결과는 달라지지 않습니다.",
    ),
    (
        "emoji chat",
        37,
        "Great job! 🎉🎉 Shipping it today 🚀 who is in? 🙋‍♀️👍🏽 I will bring cake 🍰😋 see you there ❤️🔥",
    ),
    (
        "box drawing",
        50,
        "┌──────────┬──────────┐\n│ name     │ size     │\n├──────────┼──────────┤\n│ a.txt    │ 12       │\n└──────────┴──────────┘\n",
    ),
    (
        "mixed Chinese and code",
        29,
        "请把 `config.json` 里的 timeout 改成 30，然后运行 `npm test`，如果失败就看 logs/server.log。",
    ),
];

/// One character, how often it is repeated, and its number of tokens (`o200k_base`, tiktoken).
const RUNS: [(&str, usize, u32); 12] = [
    (" ", 1_000, 9),
    ("0", 1_000, 334),
    ("─", 1_000, 63),
    ("\u{8}", 1_000, 1_000),
    ("[", 64_000, 32_000),
    ("}", 64_000, 32_000),
    ("\\", 64_000, 16_000),
    ("]", 5, 3),
    ("}", 8, 4),
    (")", 8, 2),
    ("=", 64, 1),
    ("-", 128, 2),
];

/// Symbols, and how many tokens 64,000 of one are (`o200k_base`, tiktoken).
const SYMBOLS: [(&str, u32); 6] = [
    ("#*-./=_", 1_000),
    ("%+~", 2_000),
    ("!:;", 4_000),
    ("<>?@^", 8_000),
    ("\"$'(),|\\", 16_000),
    ("&[]`{}", 32_000),
];

#[track_caller]
fn assert_close(name: &str, estimated: u32, counted: u32, tolerance_percent: u32) {
    let difference = estimated.abs_diff(counted);
    assert!(
        difference * 100 <= counted * tolerance_percent,
        "{name}: estimated {estimated}, counted {counted}, more than {tolerance_percent} % apart"
    );
}

/// Feeds a text in chunks of `size` characters.
fn estimate_in_chunks(text: &str, size: usize) -> u32 {
    let characters: Vec<char> = text.chars().collect();
    let mut estimator = Estimator::default();
    for chunk in characters.chunks(size) {
        estimator.feed(&chunk.iter().collect::<String>());
    }
    estimator.finish()
}

fn samples() -> impl Iterator<Item = Sample> {
    WORK.iter().chain(WORLD).copied()
}

#[test]
fn work_is_estimated_within_ten_percent() {
    for (name, counted, text) in WORK {
        assert_close(name, estimate(text), *counted, 10);
    }
}

#[test]
fn all_work_together_is_estimated_within_two_percent() {
    let counted = WORK.iter().map(|(_, counted, _)| counted).sum();
    let estimated = WORK.iter().map(|(_, _, text)| estimate(text)).sum();
    assert_close("sum", estimated, counted, 2);
}

#[test]
fn other_languages_and_signs_are_estimated_within_a_quarter() {
    for (name, counted, text) in WORLD {
        assert_close(name, estimate(text), *counted, 25);
    }
}

#[test]
fn runs_of_one_character_are_estimated_within_a_quarter() {
    for (character, times, counted) in RUNS {
        assert_close(character, estimate(&character.repeat(times)), counted, 25);
    }
}

#[test]
fn a_run_of_a_symbol_costs_by_how_many_make_a_token() {
    for (symbols, counted) in SYMBOLS {
        for symbol in symbols.chars() {
            let estimated = estimate(&symbol.to_string().repeat(64_000));
            assert_close(&symbol.to_string(), estimated, counted, 3);
        }
    }
}

#[test]
fn nothing_costs_nothing_and_anything_costs_something() {
    assert_eq!(estimate(""), 0);
    assert_eq!(Estimator::default().finish(), 0);
    for text in ["a", " ", "\n", "\t", "'", "\0", "é", "\u{301}", "\u{200d}", "\u{10ffff}", "'s"] {
        assert!(estimate(text) >= 1, "{text:?}");
    }
}

#[test]
fn empty_chunks_change_nothing() {
    let mut estimator = Estimator::default();
    for chunk in ["", "foo", "", "Bar(", "", ")", ""] {
        estimator.feed(chunk);
    }
    assert_eq!(estimator.finish(), estimate("fooBar()"));
}

#[test]
fn chunks_of_any_size_give_the_same_number() {
    for (name, _, text) in samples() {
        for size in 1..=text.chars().count() {
            assert_eq!(estimate_in_chunks(text, size), estimate(text), "{name} in chunks of {size}");
        }
    }
}

#[test]
fn an_estimator_goes_on_after_finish_and_its_clone_is_independent() {
    let mut estimator = Estimator::default();
    estimator.feed("let total = ");
    let mut other = estimator.clone();
    assert_eq!(estimator.finish(), estimate("let total = "));
    estimator.feed("prices.sum();");
    other.feed("0;");
    assert_eq!(estimator.finish(), estimate("let total = prices.sum();"));
    assert_eq!(other.finish(), estimate("let total = 0;"));
}

#[test]
fn two_texts_cost_about_what_they_cost_together() {
    for (one_name, _, one) in samples() {
        for (two_name, _, two) in samples() {
            let (apart, together) = (estimate(one) + estimate(two), estimate(&format!("{one}{two}")));
            assert!(apart.abs_diff(together) <= 3, "{one_name} + {two_name}: {apart}, together {together}");
        }
    }
}

#[test]
fn long_runs_cost_in_proportion() {
    for character in
        ["=", "a", " ", "\n", "\t", "\\", "0", "語", "한", "😀", "\u{301}", "\u{200d}", "\u{e000}"]
    {
        let one = estimate(&character.repeat(10_000));
        let hundred = estimate(&character.repeat(1_000_000));
        assert!(hundred.abs_diff(one * 100) <= 400, "{character:?}: {one} and {hundred}");
    }
}

#[test]
fn ten_megabytes_of_one_character_are_no_trouble() {
    assert_eq!(estimate(&"=".repeat(10_000_000)), 160_000);
}

#[test]
fn images_cost_what_providers_charge_and_never_their_base64() {
    assert_eq!(image_tokens(0), 1_600, "an unknown size costs the most");
    assert_eq!(image_tokens(1), 85);
    assert_eq!(image_tokens(100_000), 531);
    assert_eq!(image_tokens(u32::MAX), 1_600);
    assert_eq!(media_tokens("image/png", 100_000), image_tokens(100_000));
    assert_eq!(media_tokens("", 100_000), image_tokens(100_000));
}

#[test]
fn other_media_cost_by_pages_seconds_and_characters() {
    assert_eq!(media_tokens("application/pdf", 1), 2_000);
    assert_eq!(media_tokens("Application/PDF; q=1", 120_000), 6_000);
    assert_eq!(media_tokens("application/pdf", u32::MAX), 200_000);
    assert_eq!(media_tokens("audio/mpeg", 16_000), 32);
    assert_eq!(media_tokens("audio/wav", 32_000), 32);
    assert_eq!(media_tokens("video/mp4", 250_000), 263);
    assert_eq!(media_tokens("text/plain; charset=utf-8", 4_000), 1_000);
    assert_eq!(media_tokens("application/json", 4_000), 1_000);
    assert_eq!(media_tokens("audio/mpeg", 0), 1);
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_text_cut_anywhere_costs_the_same(pieces in proptest::collection::vec(any::<String>(), 0..8)) {
        let mut estimator = Estimator::default();
        for piece in &pieces {
            estimator.feed(piece);
        }
        prop_assert_eq!(estimator.finish(), estimate(&pieces.concat()));
    }

    #[test]
    fn no_character_costs_more_than_its_longest_encoding(text in any::<String>()) {
        let characters = u32::try_from(text.chars().count()).unwrap();
        prop_assert!(estimate(&text) <= 4 * characters);
        prop_assert_eq!(estimate(&text) == 0, text.is_empty());
    }
}
