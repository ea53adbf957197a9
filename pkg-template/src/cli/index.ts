/** The front door of the command `densify`: one file for each command, and the table of them. */
import { helpText, USUAL_COLUMNS } from '../base/columns.js';
import { questionAbout } from '../base/nearest.js';
import type { Command } from './command.js';
import { doctorCommand } from './doctor.js';
import { gatewayCommand } from './gateway.js';
import { argv, columns, exitCode, isTty, print, printError, version } from './host.js';
import { proveCommand } from './prove.js';
import { replayCommand } from './replay.js';
import { runCommand } from './run.js';
import { savingsCommand } from './savings.js';
import { setupCommand } from './setup.js';

/** The commands, in the order of the help. */
const COMMANDS: Readonly<Record<string, Command>> = {
  savings: savingsCommand,
  replay: replayCommand,
  prove: proveCommand,
  run: runCommand,
  setup: setupCommand,
  doctor: doctorCommand,
  gateway: gatewayCommand,
};

const ALL = 'All options: densify --help, or densify COMMAND --help\n';

/** The widest that a help text gets: longer lines are hard to read. */
const WIDEST = 100;

const fitting = (usage: string): string => helpText(usage, Math.min(WIDEST, columns() ?? USUAL_COLUMNS));

const usage = (): string =>
  fitting(
    `${Object.values(COMMANDS)
      .map((command) => command.usage)
      .join('\n')}
densify --version          the version
`,
  );

/** Each command without its options: the first paragraph of its help. */
const summary = (): string =>
  `${Object.values(COMMANDS)
    .map((command) => fitting(`${command.usage.split('\n\n', 1)[0]!.trimEnd()}\n`))
    .join('')}\n${ALL}`;

async function main([name, ...rest]: readonly string[]): Promise<number> {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    if (rest[0] !== '--help' && rest[0] !== '-h') return command.run(rest, { print, printError, isTty: isTty() });
    print(fitting(command.usage));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    print(`${version()}\n`);
    return 0;
  }
  if (name === undefined) {
    print(summary());
    return 2;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const asked = COMMANDS[Object.keys(COMMANDS).find((each) => each === rest[0]) ?? ''];
    print(asked === undefined ? usage() : fitting(asked.usage));
    return 0;
  }
  const names = Object.keys(COMMANDS);
  const question = questionAbout(name, names);
  printError(
    `densify: unknown command ${JSON.stringify(name)}, expected one of ${names.join(', ')}${question}\n${ALL}`,
  );
  return 2;
}

exitCode(await main(argv()));
