import { signal } from '@preact/signals';
import type { Sdk } from '../lib/sdks.js';
import type { Settings } from '../lib/settings.js';
import { snippet } from '../lib/snippet.js';
import { facts, settings } from './conversation.js';

/** Whose messages the code is for. */
export const sdk = signal<Sdk>('densify');

/** The code for some settings, with the conversation's workspace, for the chosen message types. */
export const codeFor = (wanted: Settings = settings.value): string =>
  snippet(wanted, facts.value?.workspaceRoot, sdk.value);
