// Log lines, written by seeded chance from templates: each kind gives `count` lines.

export const LOGS = { relay, nightly, postgres, pods, kernel, queries, partitions, walfiles };

/** A clock that goes on with every line. */
function clock({ time, random }, lowMs, highMs) {
  let now = time - 3_600_000;
  return () => {
    now += random.int(lowMs, highMs);
    return new Date(now).toISOString();
  };
}

const repeat = (count, line) => Array.from({ length: count }, (_, index) => line(index));

/** Structured lines of a webhook relay; in a storm old deliveries come back again and again. */
function relay(session, count, mode) {
  const { random } = session;
  const at = clock(session, 20, 900);
  const stuck = repeat(6, () => ({ delivery: `dlv_${random.token(8)}`, attempt: random.int(28, 31) }));
  return repeat(count, () => {
    const fresh = {
      delivery: `dlv_${random.token(8)}`,
      endpoint: random.pick(['ep_orders', 'ep_crm']),
      attempt: random.int(1, 3),
      status: random.pick([200, 200, 200, 202, 503]),
    };
    const line = mode === 'storm' && random.chance(0.85) ? stuckLine(random.pick(stuck)) : fresh;
    return JSON.stringify({
      time: at(),
      level: line.status < 400 ? 'info' : 'warn',
      msg: 'attempt',
      ...line,
      ms: random.int(18, 460),
    });
  });
}

/** One more attempt, with the delay that a 32-bit shift makes of it. */
function stuckLine(job) {
  job.attempt += 1;
  return {
    delivery: job.delivery,
    endpoint: 'ep_billing',
    attempt: job.attempt,
    status: 503,
    nextDelayMs: Math.min(900_000, 500 * (1 << job.attempt)),
  };
}

/** A nightly load written in Python. */
function nightly(session, count, mode) {
  const { random } = session;
  const at = clock(session, 400, 4000);
  const tables = ['entries', 'accounts', 'fx_rates', 'settlements', 'chargebacks'];
  return repeat(count, (index) => {
    const table = tables[Math.floor((index / count) * tables.length)];
    const stamp = at().replace('T', ' ').slice(0, 23).replace('.', ',');
    const rows = random.int(18_000, 52_000);
    if (mode === 'slow' && index % 9 === 8)
      return `${stamp} WARNING loader.copy table=${table} chunk=${index} slow copy: ${random.int(41, 96)}.${random.int(0, 9)}s for ${rows} rows`;
    if (index % 14 === 13)
      return `${stamp} INFO    loader.watermark table=${table} watermark=2026-02-${String(random.int(10, 28))}T00:00:00Z`;
    return `${stamp} INFO    loader.copy table=${table} chunk=${index} rows=${rows} bytes=${rows * random.int(90, 140)} took=${random.int(1, 9)}.${random.int(0, 9)}s`;
  });
}

function postgres(session, count, mode) {
  const { random } = session;
  const at = clock(session, 900, 9000);
  const normal = [
    () =>
      `LOG:  checkpoint complete: wrote ${random.int(900, 61_000)} buffers (${random.int(1, 46)}.${random.int(0, 9)}%); ${random.int(0, 3)} WAL file(s) added, 0 removed, ${random.int(2, 40)} recycled; write=${random.int(12, 269)}.${random.int(100, 999)} s`,
    () =>
      `LOG:  automatic vacuum of table "ledger.public.entries_2026_02": index scans: 1, pages: 0 removed, ${random.int(41_000, 92_000)} remain, tuples: ${random.int(2000, 90_000)} removed`,
    () =>
      `LOG:  duration: ${random.int(2100, 9400)}.${random.int(100, 999)} ms  statement: SELECT count(*) FROM entries WHERE account_id = ${random.int(10_000, 99_999)} AND booked_at >= '2026-02-01'`,
    () =>
      `LOG:  connection authorized: user=${random.pick(['loader', 'reporting', 'api'])} database=ledger application_name=${random.pick(['nightly', 'metabase', 'api-7c9'])}`,
  ];
  const full = [
    () => `LOG:  could not write to file "pg_wal/xlogtemp.${random.int(200, 999)}": No space left on device`,
    () => 'PANIC:  could not write to file "pg_wal/xlogtemp.412": No space left on device',
    () => 'HINT:  Replication slot "analytics_cdc" holds back WAL removal.',
  ];
  return repeat(
    count,
    (index) =>
      `${at().replace('T', ' ').replace('Z', ' UTC')} [${random.int(200, 990)}] ${random.pick(mode === 'full' && index > count * 0.6 ? full : normal)()}`,
  );
}

function pods(session, count, mode) {
  const { random } = session;
  const names = [
    'api',
    'nightly-load',
    'reporting',
    'fx-feed',
    'settlement-worker',
    'chargeback-worker',
    'metabase',
    'cdc-bridge',
  ];
  const head = 'NAME                                   READY   STATUS             RESTARTS        AGE';
  const lines = repeat(count, (index) => {
    const name = `${names[index % names.length]}-${random.token(9)}-${random.token(5, 'bcdfghjklmnpqrstvwxz2456789')}`;
    const isBad = mode === 'crash' && index % names.length === 7;
    return `${name.padEnd(39)}${(isBad ? '0/1' : '1/1').padEnd(8)}${(isBad ? 'CrashLoopBackOff' : 'Running').padEnd(19)}${(isBad ? `${random.int(90, 400)} (${random.int(1, 4)}m ago)` : String(random.int(0, 3))).padEnd(16)}${random.int(1, 40)}d`;
  });
  return [head, ...lines];
}

function kernel(session, count) {
  const { random } = session;
  let uptime = random.int(900_000, 990_000);
  return repeat(count, () => {
    uptime += random.int(1, 90);
    const text = random.pick([
      `EXT4-fs (nvme1n1): mounted filesystem with ordered data mode. Quota mode: none.`,
      `nvme nvme1: I/O ${random.int(1, 900)} QID ${random.int(1, 8)} timeout, completion polled`,
      `TCP: request_sock_TCP: Possible SYN flooding on port 5432. Sending cookies.`,
      `EXT4-fs warning (device nvme1n1): ext4_dx_add_entry: Directory (ino: ${random.int(1e6, 9e6)}) index full`,
    ]);
    return `[${uptime}.${random.int(100_000, 999_999)}] ${text}`;
  });
}

function queries(session, count) {
  const { random } = session;
  const head =
    '  pid  |   duration   |   state   | wait_event_type |  wait_event  | query\n-------+--------------+-----------+-----------------+--------------+---------------------------------------------';
  const lines = repeat(
    count,
    () =>
      ` ${random.int(1000, 9999).toString().padStart(5)} | 00:${random.int(10, 59)}:${random.int(10, 59)}.${random.int(100, 999)} | ${random.pick(['active   ', 'idle in tx'.slice(0, 9)])} | ${random.pick(['Lock           ', 'IO             ', 'LWLock         '])} | ${random.pick(['relation    ', 'DataFileRead', 'WALWrite    '])} | ${random.pick(['COPY staging.entries FROM STDIN', 'SELECT sum(amount) FROM entries WHERE account_id', 'REFRESH MATERIALIZED VIEW daily_balance', 'INSERT INTO entries SELECT * FROM staging.ent'])}`,
  );
  return [head, ...lines, `(${count} rows)`];
}

function partitions(session, count) {
  const { random } = session;
  const head =
    '     partition      |  rows_est  | total_size | last_analyze\n--------------------+------------+------------+---------------------';
  const lines = repeat(count, (index) => {
    const year = 2026 - Math.floor((index + 10) / 12);
    const month = String(12 - ((index + 10) % 12)).padStart(2, '0');
    return ` entries_${year}_${month}    | ${String(random.int(2_000_000, 9_900_000)).padStart(10)} | ${String(random.int(600, 2900)).padStart(7)} MB | ${random.chance(0.15) ? '' : `2026-0${random.int(1, 2)}-${random.int(10, 27)} 0${random.int(1, 5)}:${random.int(10, 59)}`}`;
  });
  return [head, ...lines, `(${count} rows)`];
}

function walfiles(session, count) {
  const { random } = session;
  let segment = random.int(0x100, 0x3ff);
  return repeat(count, () => {
    segment += 1;
    return `-rw------- 1 postgres postgres 16777216 Feb 27 0${random.int(1, 5)}:${random.int(10, 59)} 00000001${(0x1c4).toString(16).toUpperCase().padStart(8, '0')}${segment.toString(16).toUpperCase().padStart(8, '0')}`;
  });
}
