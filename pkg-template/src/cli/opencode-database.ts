/** The database in which opencode 1.18 and newer keep their sessions. Everything here only reads. */
import { builtIn, fileUrl, isThere, nodeVersion, sizeOf } from './host.js';

interface Statement {
  all(...values: readonly string[]): readonly Readonly<Record<string, unknown>>[];
}

interface Database {
  prepare(text: string): Statement;
}

interface Sqlite {
  readonly DatabaseSync: new (path: string | URL, options: { readonly readOnly: true }) => Database;
}

/** The name of such a database; versions for testers have an ending. */
export const DATABASE = /(?:^|[\\/])opencode(?:-[\w.-]+)?\.db$/;
export const isDatabase = (path: string): boolean => DATABASE.test(path);

/** Databases that are open until the command ends. */
const databases = new Map<string, Database>();

function opened(path: string): Database {
  const known = databases.get(path);
  if (known !== undefined) return known;
  sizeOf(path); // an error that names the missing file
  const sqlite = builtIn('node:sqlite') as Sqlite | undefined;
  if (sqlite === undefined) {
    throw new Error(
      `found opencode's database, which Node.js ${nodeVersion()} cannot read: use Node.js 22.13 or newer, ` +
        'or write each session with `opencode export SESSION > FILE.json` and name these files',
    );
  }
  const database = read(sqlite, path);
  databases.set(path, database);
  return database;
}

function read({ DatabaseSync }: Sqlite, path: string): Database {
  const open = (place: string | URL) => new DatabaseSync(place, { readOnly: true });
  // SQLite makes files beside a database that it opens, unless that is declared immutable.
  const isInUse = isThere(`${path}-wal`) && sizeOf(`${path}-wal`) > 0;
  if (isInUse) return open(path);
  try {
    return open(fileUrl(path, 'immutable=1'));
  } catch {
    return open(path); // older versions of Node.js take no URLs
  }
}

/** The ids of the sessions, the oldest first. */
export function sessionIds(path: string): readonly string[] {
  const rows = opened(path).prepare('SELECT id FROM session ORDER BY time_created, id').all();
  return rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** The characters of a session. */
export function sessionSize(path: string, session: string): number {
  return ['message', 'part'].reduce((sum, table) => {
    const [row] = opened(path)
      .prepare(`SELECT sum(length(data)) AS size FROM ${table} WHERE session_id = ?`)
      .all(session);
    return sum + Number(row?.['size'] ?? 0);
  }, 0);
}

/** The text of a session, as `opencode export` writes it. */
export function sessionText(path: string, session: string): string {
  const parts = new Map<unknown, object[]>();
  const rowsOf = (columns: string, table: string, order: string) =>
    opened(path).prepare(`SELECT ${columns}, data FROM ${table} WHERE session_id = ? ORDER BY ${order}`).all(session);
  for (const { id, message, data } of rowsOf('id, message_id AS message', 'part', 'id')) {
    const part = { ...objectIn(data), id, sessionID: session, messageID: message };
    parts.set(message, [...(parts.get(message) ?? []), part]);
  }
  const messages = rowsOf('id', 'message', 'time_created, id').map(({ id, data }) => ({
    info: { ...objectIn(data), id, sessionID: session },
    parts: parts.get(id) ?? [],
  }));
  return JSON.stringify({ info: { id: session }, messages });
}

const objectIn = (data: unknown): object => JSON.parse(String(data)) as object;
