import * as parts from '../../../parts.mjs';
import { probe } from '../../../probe.mjs';

export const runtime = 'edge';
export const dynamic = 'force-dynamic';
export async function GET() {
  return new Response(await probe(parts));
}
