// What policies lost at the cut points of real logs, with intervals by session, and whether the bar is met.
import { withInterval } from './points.mjs';

/** `balanced` may lose this share of what masking to the same size loses. */
const BAR = 1 / 3;

const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Means over points, each with the same weight, of what a policy lost for each token of the names, and for each scored token. */
const ofNames = (policy) => (points) =>
  mean(points.map(({ results, isName }) => mean(results[policy].lost.filter((_, at) => isName[at]))));
/** The same of the names that the policy itself removed, over the points that have one. */
const ofRemoved = (policy) => (points) => {
  const own = points.map(({ results }) => results[policy].lost.filter((_, at) => results[policy].isRemoved[at]));
  return mean(own.filter(({ length }) => length > 0).map(mean));
};
const ofAll = (policy) => (points) => mean(points.map(({ results }) => mean(results[policy].lost)));

/**
 * Judges points: `{ session, isName, names, results }`, with the number of `names`, whether each scored token belongs to one, and
 * for each policy `{ lost, isRemoved, left, removed }`: the log-likelihood that each token lost, whether it belongs to a name
 * that the policy removed, the share of the history that is left, and the number of removed names.
 */
export function lossesOf(points) {
  const sessions = new Map();
  for (const point of points) sessions.set(point.session, [...(sessions.get(point.session) ?? []), point]);
  const groups = [...sessions.values()];
  const policies = Object.fromEntries(
    Object.keys(points[0].results).map((policy) => {
      const own = points.map(({ results }) => results[policy]);
      const removed = own.reduce((sum, each) => sum + each.removed, 0);
      const left = mean(own.map((each) => each.left));
      const [names, all, ofOwn] = [ofNames, ofAll, ofRemoved].map((of) => withInterval(groups, of(policy)));
      return [policy, { names, all, ofOwn, left, removed }];
    }),
  );
  const { balanced, masking } = policies;
  const beyond = withInterval(groups, (list) => ofNames('balanced')(list) - BAR * ofNames('masking')(list));
  // If masking loses nothing, a share of it says nothing.
  const isJudged = masking.names.low > 0;
  const isMet = isJudged && beyond.value <= 0;
  return {
    ...{ points: points.length, sessions: groups.length, policies, beyond, isJudged, isMet },
    names: points.reduce((sum, each) => sum + each.names, 0),
    scored: points.reduce((sum, each) => sum + each.isName.length, 0),
    scoredInNames: points.reduce((sum, each) => sum + each.isName.filter(Boolean).length, 0),
    share: balanced.names.value / masking.names.value,
    /** Whether the interval leaves the opposite out. */
    isSure: isJudged && (isMet ? beyond.high <= 0 : beyond.low > 0),
  };
}

/** An estimate with its interval; a policy that removed no name has none of it. */
const shown = ({ value, low, high }) =>
  Number.isNaN(value) ? '–' : `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;

/** The same in words. */
export function lossesText({ policies, beyond, isJudged, isMet, isSure, share, ...counts }) {
  const rows = Object.entries(policies).map(([policy, { names, all, ofOwn, left, removed }]) =>
    [
      policy.padEnd(13),
      shown(names).padEnd(23),
      shown(all).padEnd(23),
      shown(ofOwn).padEnd(23),
      `${(100 * left).toFixed(1)}%`.padStart(6),
      String(removed).padStart(13),
    ].join('  '),
  );
  const found = `balanced loses ${share.toFixed(2)} of what masking loses: ${isMet ? 'met' : 'missed'}`;
  const verdict = isJudged ? found : 'missed: the interval of what masking loses holds 0, so nothing is shown';
  return [
    `${counts.points} cut points of ${counts.sessions} sessions`,
    `${counts.names} names that balanced or masking removed`,
    `${counts.scored} tokens scored, ${counts.scoredInNames} of them in these names`,
    '',
    'log-likelihood lost, nats a token, with 95% intervals by session:',
    'policy         tokens of the names      all scored tokens        names that it removed      left  names removed',
    ...rows,
    `balanced less a third of masking, tokens of the names: ${shown(beyond)}`,
    '',
    'bar: on the tokens of the names, balanced loses at most a third of what masking to the same size loses',
    `${verdict}${isJudged && !isSure ? '; the interval holds the opposite, too' : ''}`,
    '',
  ].join('\n');
}
