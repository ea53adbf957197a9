"""The transcripts' events as contents."""
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
