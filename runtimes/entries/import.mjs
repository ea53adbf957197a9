import * as densify from 'densify';
import * as tokens from 'densify/tokens';
import * as transcripts from 'densify/transcripts';
import { probe } from '../probe.mjs';

console.log(await probe(densify, tokens, transcripts));
