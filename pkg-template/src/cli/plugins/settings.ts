/** What users of plug-ins may set, by variables of their environment. */

export interface PluginSettings {
  /** `DENSIFY_PRESET`: how histories are packed. */
  readonly preset: string | undefined;
  /** `DENSIFY_INTAKE=off` leaves new results as they are. */
  readonly intake: boolean;
  /** `DENSIFY_COMPACTION=digest` makes summaries by rules where the agent would ask a model. */
  readonly compaction: boolean;
  /** `densify run` sets `DENSIFY_RUN` to the agent that it runs: its gateway packs, so plug-ins do nothing. */
  readonly isRun: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

export function fromEnvironment(agent: string): PluginSettings {
  const { process } = globalThis as unknown as { readonly process: { readonly env: Variables } };
  return settingsFrom(process.env, agent);
}

/** `agent`: the one that loads the plug-in; another may have started it. */
export function settingsFrom(variables: Variables, agent: string): PluginSettings {
  const {
    DENSIFY_PRESET: preset,
    DENSIFY_INTAKE: intake,
    DENSIFY_COMPACTION: compaction,
    DENSIFY_RUN: run,
  } = variables;
  return {
    preset: preset === '' ? undefined : preset,
    intake: intake !== 'off',
    compaction: compaction === 'digest',
    isRun: run === agent,
  };
}
