//! The flags of units and blocks. The low ones are facts that the format's adapter reads from a
//! message and that cross the boundary as they are; the high ones are the core's own state.

/// Declares the flags, and lists them by name: the facade's are generated of that.
macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $value:expr,)*) => {
        $($(#[$doc])* pub const $name: u32 = $value;)*

        /// The flags that an adapter may set.
        pub const ADAPTERS: &[(&str, u32)] = &[$((stringify!($name), $name)),*];
    };
}

flags! {
    /// Unit: the caller protects it from every edit.
    PROTECTED = 1,
    /// Unit: an earlier summary of ours; its metadata says so.
    SUMMARY = 1 << 1,
    /// Unit: a further part of the message that the unit before it belongs to.
    CONTINUES = 1 << 2,
    /// Unit of a human: the caller says that no person wrote it, but the host: the output of a tool, a reminder.
    OBSERVATION = 1 << 3,

    /// Text: nothing but white space.
    BLANK = 1,
    /// Text of a human: holds `---`, so it may hold an inclusion.
    MARKERS = 1 << 1,
    /// Call: reads files.
    READ = 1 << 2,
    /// Call: changes files.
    WRITE = 1 << 3,
    /// Call: an explicit preview or dry run; it writes nothing.
    PREVIEW = 1 << 4,
    /// Response: the user refused the call. The detail is the reason, if there is one.
    REFUSED = 1 << 4,
    /// Call: some of its paths weren't understood.
    VAGUE_PATHS = 1 << 5,
    /// Call: sets the list of todos.
    TODO = 1 << 6,
    /// Response: the call failed.
    FAILED = 1 << 7,
    /// Response: a short string in square brackets; it may be a pointer or a summary line. Text of a human: opens with
    /// a square bracket, so it may be a summary of ours.
    BRACKETED = 1 << 8,
    /// Response: the payload is a string.
    STRING_RESULT = 1 << 9,
    /// Response: the payload is an object whose `output` is a string.
    OUTPUT_RESULT = 1 << 10,
    /// Response: there is no payload, or one that can't be measured; it is never replaced.
    FIXED_RESULT = 1 << 11,
    /// Response: its tool is that of the call that it answers; the format doesn't repeat the name.
    NAMED_BY_CALL = 1 << 12,
    /// Media: the size is in tokens, not in bytes: an image whose pixels are known.
    TOKENS = 1 << 13,
    /// Call: it may only show what it would do. Response: it may say that the call did nothing. Nobody knows: what the
    /// documents don't name counts neither as a preview nor as a failure, but nothing gives way for it.
    DOUBTFUL = 1 << 14,
    /// Media: a file that is a text, which is counted as such.
    READABLE = 1 << 15,
}

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
