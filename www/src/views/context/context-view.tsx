import type { JSX } from 'preact';
import { replay } from '../../state/conversation.js';
import { Bands } from './bands.js';
import { BlockList } from './block-list.js';
import { Controls } from './controls.js';
import { GrowthChart } from './growth-chart.js';
import { Headline } from './headline.js';
import { Inspector } from './inspector.js';
import { Player } from './player.js';
import { RecallPanel } from './recall-panel.js';
import { Story } from './story.js';

/** The effect of a strategy on the context, call by call and down to the text. */
export function ContextView(): JSX.Element {
  return (
    <div class="context">
      <Story />
      <div class="stage">
        <section class="card overview" aria-label="Overview">
          <Headline />
          <div class="chart-head">
            <h3>Tokens sent with each model call</h3>
            <ul class="legend">
              <li>
                <span class="line without" /> without densify
              </li>
              <li>
                <span class="line with" /> with densify
              </li>
              {(replay.value?.compressions.length ?? 0) > 0 && (
                <li>
                  <span class="line mark" /> compression
                </li>
              )}
            </ul>
          </div>
          <GrowthChart />
        </section>
        <section class="card picture" aria-label="The context as blocks">
          <Bands />
          <Player />
        </section>
        <div class="pair">
          <BlockList />
          <Inspector />
        </div>
        <RecallPanel />
      </div>
      <Controls />
    </div>
  );
}
