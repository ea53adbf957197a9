/** The command `densify`. */
import { argv, exitCode, isTty, print, printError, version } from './host.js';
import { runReplay } from './replay.js';

const USAGE = `densify replay FILES…      what densify would have saved on logs of agents, and lost
densify replay --stdin     the same, a log a line in, a result a line out

  --policies=a,b           only these (none, intake, seed, lossless, balanced, aggressive,
                           high-density, top-down-truncation, digest, auto), with a flush
                           policy behind a colon (balanced:when-it-pays, :always, :never, or
                           :20000 tokens), or budgets (budget:65% of the log, budget:40000)
  --window=200000          the model's window in tokens
  --prices=0.3,3.75        dollars for a million tokens from the cache, and else
  --provider=NAME          whose rules requests are held against (anthropic, openai, google,
                           …); else that of the logs' format, or of the model they name
  --format=NAME            the logs' format (pi, claude-code, codex, opencode, gemini-cli,
                           mini-swe-agent, swe-agent, anthropic, openai-responses, gemini,
                           openai-chat); else it is found out
  --json                   JSON instead of a table
  --html=FILE              a page with charts as well
  --paths                  reports name files with their folders

densify --version          the version

Nothing is sent anywhere, and reports hold nothing of what the logs say but the files' names.
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  if (command === 'replay' && (rest[0] === '--help' || rest[0] === '-h')) {
    print(USAGE);
    return 0;
  }
  if (command === '--version' || command === '-v') {
    print(`${version()}\n`);
    return 0;
  }
  if (command === 'replay') return runReplay(rest, { print, printError, isTty: isTty() });
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    print(USAGE);
    return command === undefined ? 2 : 0;
  }
  printError(`densify: unknown command ${JSON.stringify(command)}\n\n${USAGE}`);
  return 2;
}

exitCode(await main(argv()));
