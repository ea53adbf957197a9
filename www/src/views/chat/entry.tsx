import type { ContentBlock, IContent } from 'densify';
import type { JSX } from 'preact';
import { asText, json, payloadText } from '../../lib/payload.js';
import { oneLine, visible } from '../../lib/text.js';
import { TextBox } from '../../ui/text-box.js';

/** Something that was said, with its calls of tools folded. */
export function Entry({
  content,
  answers,
}: {
  readonly content: IContent;
  readonly answers: IContent | undefined;
}): JSX.Element {
  const isUser = content.speaker === 'human';
  return (
    <article class={isUser ? 'said-by user' : 'said-by agent'}>
      <h3 class="unseen">{isUser ? 'You' : 'Agent'}</h3>
      {content.blocks.map((block, index) => (
        <Block key={index} block={block} answers={answers} />
      ))}
    </article>
  );
}

function Block({
  block,
  answers,
}: {
  readonly block: ContentBlock;
  readonly answers: IContent | undefined;
}): JSX.Element | null {
  if (block.type === 'text') return <p class="speech">{visible(block.text)}</p>;
  if (block.type === 'thinking') return <p class="thought">{visible(block.thought)}</p>;
  if (block.type !== 'tool_call') return null;
  const answer = answers?.blocks.find((one) => one.type === 'tool_response' && one.callId === block.id);
  const response = answer?.type === 'tool_response' ? answer : undefined;
  return (
    <details class="tool">
      <summary>
        <span class="dot call" />
        <b>{oneLine(block.name, 60)}</b>
        <span class="call-label">{oneLine(firstText(block.parameters), 120)}</span>
        {response && (
          <span class={response.error === undefined ? 'chip good' : 'chip gone'}>
            {response.error === undefined ? 'done' : 'failed'}
          </span>
        )}
      </summary>
      <TextBox>{visible(json(block.parameters))}</TextBox>
      {response && <TextBox>{visible(payloadText(response.result))}</TextBox>}
    </details>
  );
}

function firstText(parameters: unknown): string {
  if (typeof parameters !== 'object' || parameters === null) return asText(parameters);
  return asText(Object.values(parameters).find((value) => typeof value === 'string'));
}

/** What is being said right now. */
export function Saying({ text, thinking }: { readonly text: string; readonly thinking: string }): JSX.Element {
  return (
    <article class="said-by agent" aria-busy="true">
      {thinking !== '' && <p class="thought">{visible(thinking)}</p>}
      <p class="speech">
        {visible(text)}
        <span class="caret" />
      </p>
    </article>
  );
}
