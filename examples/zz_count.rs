use std::io::{Read, Write};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let encoding = densify::tokens::exact::Encoding::named(&args[1]).unwrap();
    let vocabulary = std::fs::read(format!("/tmp/tok/{}.bin", args[1])).unwrap();
    let start = std::time::Instant::now();
    let mut tokenizer = densify::tokens::exact::Tokenizer::new(encoding, &vocabulary).unwrap();
    eprintln!("load {:?}", start.elapsed());
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let texts: Vec<String> = serde_json::from_str(&text).unwrap();
    let out = std::io::stdout(); let mut out = std::io::BufWriter::new(out.lock());
    for round in 0..3 {
    let start = std::time::Instant::now();
    let counts: Vec<u64> = texts.iter().map(|t| tokenizer.count(t)).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    eprintln!("{} MB/s", bytes as f64 / 1e6 / start.elapsed().as_secs_f64());
    if round == 0 { for c in counts { writeln!(out, "{c}").unwrap(); } }
    }
}
