import type { ContentLike } from '../base/content.js';
import { neutral } from '../messages/neutral.js';
import type { OwnFormat } from './format.js';

/** densify's own contents. */
export const densify: OwnFormat<ContentLike> = { adapter: neutral };
