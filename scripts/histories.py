"""The transcripts' events as contents, and back."""
import json, subprocess

import probe

SPEAKERS = {'assistant': 'ai', 'reasoning': 'ai', 'call': 'ai', 'result': 'tool'}


def contents(events):
    """Events as contents: one block each, since the probe looks at events."""
    for e in events:
        kind = e['t']
        if kind == 'call':
            block = {'type': 'tool_call', 'id': e['id'] or f"c{e['i']}", 'name': e['name'] or 'tool', 'parameters': e['args']}
        elif kind == 'result':
            block = {'type': 'tool_response', 'callId': e['id'] or '', 'toolName': (e.get('call') or {}).get('name') or 'tool', 'result': e['text']}
            if e['err']:
                block['error'] = 'failed'
        elif kind == 'reasoning':
            block = {'type': 'thinking', 'thought': e['text']}
        elif kind == 'image':
            block = {'type': 'media', 'mimeType': 'image/png', 'data': '', 'encoding': 'url'}
        else:
            block = {'type': 'text', 'text': e['text']}
        yield {'speaker': SPEAKERS.get(kind, 'human'), 'blocks': [block], 'metadata': {'event': e['i']}}


def events(history, messages):
    """What is left as events."""
    by_index = {e['i']: e for e in history}
    for message in messages:
        e = by_index[message['metadata']['event']]
        block = message['blocks'][0]
        if e['t'] == 'call' and block['parameters'] != e['args']:
            yield probe.clone(e, args=block['parameters'], text=json.dumps(block['parameters'], ensure_ascii=False))
            continue
        text = block.get('result') if e['t'] == 'result' else None
        yield probe.clone(e, text=text) if isinstance(text, str) and text != e['text'] else e


class Answers:
    """A program that answers a line for a line, both JSON."""

    def __init__(self, *command, cwd=None):
        self.process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def to(self, question):
        self.process.stdin.write(json.dumps(question) + '\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())
