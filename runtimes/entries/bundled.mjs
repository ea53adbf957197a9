// As import.mjs, without a top-level await, which CommonJS bundles lack.
import * as densify from 'densify';
import * as tokens from 'densify/tokens';
import * as transcripts from 'densify/transcripts';
import { probe } from '../probe.mjs';

probe(densify, tokens, transcripts).then(console.log, (thrown) => console.error(String(thrown)));
