/** The libraries in the bundle: the gateway's server, what finds its proxy, and what reads the settings of Codex. */
export const libraryOf = {
  'bundled:srvx': 'srvx/node',
  'bundled:proxy-from-env': 'proxy-from-env',
  'bundled:smol-toml': 'smol-toml',
};
