/** Where agents are pointed at, for good. */
import { PORT } from '../agents/ports.js';

export const BASE = `http://127.0.0.1:${PORT}`;
export const KEEP_RUNNING =
  'Keep `densify gateway` running, for example as a service: the agent sends its requests there.';
export const STARTS_ITSELF = 'Its next session starts `densify gateway` by itself if none runs.';
