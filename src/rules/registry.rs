//! Makes the type that holds the rules from a list of them.

/// Declares [`Registry`](super::Registry) from pairs of an option's key and the rule that it switches. No rule is called by way of
/// a pointer: each call below is written out for every rule of the list.
macro_rules! registry {
    ($($key:ident: $rule:ty,)+) => {
        /// The rules that are on.
        #[derive(Clone, Debug)]
        struct Registry {
            $($key: Option<$rule>,)+
        }

        impl Registry {
            /// Makes the rules that the options or the preset switch on.
            fn new(setup: &Setup<'_>) -> Self {
                let options = &setup.settings.rules;
                Self { $($key: setup.is_on::<$rule>(options.$key).then(|| <$rule>::new(setup)),)+ }
            }

            /// Whether a rule is on that reads new blocks.
            const fn reads(&self) -> bool {
                false $(|| <$rule>::READS && self.$key.is_some())+
            }

            /// Calls [`Rule::run`] of each rule.
            fn run(&mut self, context: &mut Context<'_>) {
                $(if let Some(rule) = &mut self.$key {
                    rule.run(context);
                })+
            }

            /// Calls [`Rule::see_block`] of each rule.
            fn see_block(&mut self, context: &mut Context<'_>, index: u32, is_decided: bool) {
                $(if let Some(rule) = &mut self.$key {
                    rule.see_block(context, index, is_decided);
                })+
            }

            /// Calls [`Rule::see`] of each rule.
            fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
                $(if let Some(rule) = &mut self.$key {
                    rule.see(context, result);
                })+
            }

            /// Bytes held, approximately.
            fn bytes(&self) -> usize {
                0 $(+ self.$key.as_ref().map_or(0, Rule::bytes))+
            }
        }
    };
}
