//! Everything around a language model's summary of a history: what to ask for, whether the reply
//! holds what it must, and the history that comes of it.
