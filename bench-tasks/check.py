"""Checks run.py without network, key or Docker: a scripted model solves a made-up task in both arms."""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import run

# Each command prints the number of the next step, so that the script depends on the newest result alone.
NOISE = 'for i in $(seq 1 120); do echo "line $i of a long listing that nobody needs twice"; done'
STEPS = [
    f'cat bug.py; {NOISE}; echo STEP 1',
    f'cat bug.py; {NOISE}; echo STEP 2',
    f'cat bug.py; {NOISE}; echo STEP 3',
    "sed -i 's/- b/+ b/' bug.py; git diff > patch.txt; echo STEP 4",
    f'cat bug.py; {NOISE}; echo STEP 5',
    'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt',
]


class Model(BaseHTTPRequestHandler):
    requests = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['content-length'])))
        Model.requests.append(body)
        results = [str(message.get('content')) for message in body['messages'] if message['role'] == 'tool']
        found = re.findall(r'^STEP (\d+)', results[-1], re.M) if results else []
        step = int(found[-1]) if found else 0
        call = {'id': f'call_{step}', 'type': 'function', 'function': {'name': 'bash', 'arguments': json.dumps({'command': STEPS[step]})}}
        message = {'role': 'assistant', 'content': f'Step {step}.', 'tool_calls': [call]}
        tokens = len(json.dumps(body['messages'])) // 4
        reply = json.dumps({
            'id': 'scripted', 'object': 'chat.completion', 'created': 1, 'model': body['model'],
            'choices': [{'index': 0, 'message': message, 'finish_reason': 'tool_calls'}],
            'usage': {'prompt_tokens': tokens, 'completion_tokens': 20, 'total_tokens': tokens + 20},
        }).encode()
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *args):
        pass


def reset(folder):
    (folder / 'bug.py').write_text('def add(a, b):\n    return a - b\n')
    commands = 'rm -rf .git patch.txt && git init -q && git add bug.py && git -c user.name=x -c user.email=x@x commit -qm start'
    subprocess.run(commands, shell=True, check=True, cwd=folder)


def main():
    server = ThreadingHTTPServer(('127.0.0.1', 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f'http://127.0.0.1:{server.server_port}/v1'
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'work').mkdir()
        os.environ.update(DENSIFY_TASK_FOLDER=str(folder / 'work'), OPENAI_API_KEY='none', MSWEA_GLOBAL_CONFIG_DIR=name, LITELLM_LOCAL_MODEL_COST_MAP='True')
        (folder / 'tasks.json').write_text(json.dumps([{'instance_id': 'made-up-1', 'problem_statement': 'add() subtracts.'}]))
        reports = {}
        for arm in ('plain', 'densify'):
            reset(folder / 'work')
            given = run.options(['--model', 'openai/scripted', '--endpoint', endpoint, '--tasks', f'{name}/tasks.json', '--arms', arm, '--environment', 'local', '--output', f'{name}/out'])
            reports |= run.run(given)
        run.show(reports, given)
        patches = [json.loads((folder / 'out' / arm / 'preds.json').read_text())['made-up-1']['model_patch'] for arm in reports]
    plain, densify = reports['plain'], reports['densify']
    assert '+    return a + b' in patches[0], patches
    assert patches[0] == patches[1], 'the arms have different patches'
    assert plain['calls'] == densify['calls'] == len(STEPS), reports
    assert densify['input'] < plain['input'], 'the gateway packed nothing'
    for body in Model.requests:
        called = [call['id'] for message in body['messages'] for call in message.get('tool_calls') or []]
        answered = [message['tool_call_id'] for message in body['messages'] if message['role'] == 'tool']
        assert called == answered, 'a call without its result'
    print('check: both arms submitted the same patch, the packed one with fewer tokens')


if __name__ == '__main__':
    sys.exit(main())
