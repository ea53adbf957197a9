//! Token counts: how much of a model's context window a text or an attachment takes.

pub mod estimate;
mod media;
mod pairs;
mod pieces;
mod scripts;

#[cfg(test)]
mod tests;
