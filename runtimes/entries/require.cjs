const densify = require('densify');
const tokens = require('densify/tokens');
const transcripts = require('densify/transcripts');

import('../probe.mjs').then(async ({ probe }) => console.log(await probe(densify, tokens, transcripts)));
