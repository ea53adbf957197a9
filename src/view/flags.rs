//! The flags of units and blocks. The low ones are facts that the format's adapter reads from a
//! message and that cross the boundary as they are; the high ones are the core's own state.

/// Unit: the caller protects it from every edit.
pub const PROTECTED: u32 = 1;
/// Unit: an earlier summary of ours; its metadata says so.
pub const SUMMARY: u32 = 1 << 1;
/// Unit: a further part of the message that the unit before it belongs to.
pub const CONTINUES: u32 = 1 << 2;

/// Unit of a human: the caller says that no person wrote it, but the host: the output of a tool, a reminder.
pub const OBSERVATION: u32 = 1 << 3;

/// Text: nothing but white space.
pub const BLANK: u32 = 1;
/// Text of a human: holds `---`, so it may hold an inclusion.
pub const MARKERS: u32 = 1 << 1;
/// Call: reads files.
pub const READ: u32 = 1 << 2;
/// Call: changes files.
pub const WRITE: u32 = 1 << 3;
/// Call: an explicit preview or dry run; it writes nothing.
pub const PREVIEW: u32 = 1 << 4;
/// Call: some of its paths weren't understood.
pub const VAGUE_PATHS: u32 = 1 << 5;
/// Call: sets the list of todos.
pub const TODO: u32 = 1 << 6;
/// Response: the call failed.
pub const FAILED: u32 = 1 << 7;
/// Response: a short string in square brackets; it may be a pointer or a summary line. Text of a human: opens with
/// a square bracket, so it may be a summary of ours.
pub const BRACKETED: u32 = 1 << 8;
/// Response: the payload is a string.
pub const STRING_RESULT: u32 = 1 << 9;
/// Response: the payload is an object whose `output` is a string.
pub const OUTPUT_RESULT: u32 = 1 << 10;
/// Response: there is no payload, or one that can't be measured; it is never replaced.
pub const FIXED_RESULT: u32 = 1 << 11;
/// Response: its tool is that of the call that it answers; the format doesn't repeat the name.
pub const NAMED_BY_CALL: u32 = 1 << 12;
/// Media: the size is in tokens, not in bytes: an image whose pixels are known.
pub const TOKENS: u32 = 1 << 13;
/// Call: it may only show what it would do. Response: it may say that the call did nothing. Nobody knows: what the
/// documents don't name counts neither as a preview nor as a failure, but nothing gives way for it.
pub const DOUBTFUL: u32 = 1 << 14;
/// Media: a file that is a text, which is counted as such.
pub const READABLE: u32 = 1 << 15;

/// What an adapter may set; everything above is the core's.
pub const FROM_ADAPTER: u32 = (1 << 16) - 1;

/// The block is gone.
pub const DROPPED: u32 = 1 << 16;
/// Call and response know each other.
pub const PAIRED: u32 = 1 << 17;
/// Response: the payload is a pointer or a summary line already.
pub const COMPACTED: u32 = 1 << 18;
/// The block's tokens were counted.
pub const COUNTED: u32 = 1 << 19;
/// The block was edited since it was counted.
pub const UNPRICED: u32 = 1 << 20;
/// An edit that was made, and doesn't wait, took text of the block away.
pub const HIDDEN: u32 = 1 << 22;
/// Call: a stale read that stays for others of its set, which go with it or not at all.
pub const PARTED: u32 = 1 << 21;
