import * as densify from 'densify';
import * as tokens from 'densify/tokens';
import * as transcripts from 'densify/transcripts';
import { probe } from '../../../probe.mjs';

export const dynamic = 'force-dynamic';
export async function GET() {
  return new Response(await probe(densify, tokens, transcripts));
}
