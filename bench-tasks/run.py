"""Runs tasks with mini-swe-agent in two arms: straight to the model, and through densify's gateway. See README.md."""
import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

os.environ.setdefault('MSWEA_SILENT_STARTUP', '1')
ROOT = Path(__file__).resolve().parent.parent
CLI = ROOT / 'js-tests/node_modules/densify/dist/cli.js'
# The gateway's name for the endpoint: requests to /tasks/… go there.
UPSTREAM = 'tasks'


def options(given=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--model', required=True, help="LiteLLM's name of the model")
    parser.add_argument('--endpoint', required=True, help="the API's base URL")
    parser.add_argument('--gateway', help='a gateway that already runs, with the path of its upstream')
    parser.add_argument('--preset', default='balanced')
    parser.add_argument('--arms', default='plain,densify')
    parser.add_argument('--tasks', help='a JSON file with a list of tasks, instead of a data set')
    parser.add_argument('--subset', default='verified')
    parser.add_argument('--split', default='test')
    parser.add_argument('--slice', default='0:10')
    parser.add_argument('--environment', default='docker')
    parser.add_argument('--cost-limit', type=float, default=1.0)
    parser.add_argument('--output', default='results')
    return parser.parse_args(given)


def tasks(given):
    from minisweagent.run.benchmarks.swebench import DATASET_MAPPING, filter_instances

    if given.tasks:
        return json.loads(Path(given.tasks).read_text())
    from datasets import load_dataset

    found = list(load_dataset(DATASET_MAPPING.get(given.subset, given.subset), split=given.split))
    return filter_instances(found, filter_spec='', slice_spec=given.slice)


def config(given, endpoint):
    from minisweagent.config import builtin_config_dir, get_config_from_spec
    from minisweagent.utils.serialize import recursive_merge

    ours = {
        'environment': {'environment_class': given.environment},
        'agent': {'cost_limit': given.cost_limit},
        'model': {
            'model_name': given.model,
            'model_kwargs': {'api_base': endpoint, 'drop_params': True},
            'cost_tracking': 'ignore_errors',
        },
    }
    if given.environment == 'local':
        # The check works in a folder of its own, where the data set's container has /testbed.
        ours['environment']['cwd'] = os.environ['DENSIFY_TASK_FOLDER']
    return recursive_merge(get_config_from_spec(str(builtin_config_dir / 'benchmarks/swebench.yaml')), ours)


class Quiet:
    """What mini-swe-agent reports its progress to."""

    def __getattr__(self, name):
        return lambda *args, **more: None


@contextlib.contextmanager
def gateway(given):
    """The base URL of the packed arm; a gateway is started if none is named."""
    if given.gateway:
        yield given.gateway.rstrip('/')
        return
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    command = ['node', str(CLI), 'gateway', f'--port={port}', f'--preset={given.preset}', f'--upstream={UPSTREAM}={given.endpoint}']
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(port, process)
        yield f'http://127.0.0.1:{port}/{UPSTREAM}'
    finally:
        process.terminate()
        process.wait(10)


def wait(port, process):
    for _ in range(100):
        if process.poll() is not None:
            sys.exit(f'run.py: the gateway ended with code {process.returncode}; try it by itself: densify gateway')
        with contextlib.suppress(OSError), socket.create_connection(('127.0.0.1', port), 1):
            return
        time.sleep(0.1)
    sys.exit('run.py: the gateway does not answer')


def run(given):
    from minisweagent.run.benchmarks.swebench import process_instance

    output = Path(given.output)
    with gateway(given) if 'densify' in given.arms.split(',') else contextlib.nullcontext() as packed:
        endpoints = {'plain': given.endpoint, 'densify': packed}
        for number, task in enumerate(tasks(given), 1):
            for arm in given.arms.split(','):
                folder = output / arm
                folder.mkdir(parents=True, exist_ok=True)
                if done(folder, task['instance_id']):
                    continue
                print(f'{number}: {task["instance_id"]}, {arm}', flush=True)
                process_instance(task, folder, config(given, endpoints[arm]), Quiet())
    return {arm: report(output / arm) for arm in given.arms.split(',')}


def done(folder, name):
    predictions = folder / 'preds.json'
    return predictions.exists() and (json.loads(predictions.read_text()).get(name) or {}).get('model_patch')


def report(folder):
    """Sums of an arm: tasks with a patch, calls and tokens."""
    sums = {'tasks': 0, 'patches': 0, 'calls': 0, 'input': 0, 'cached': 0, 'output': 0}
    for path in sorted(folder.glob('*/*.traj.json')):
        trajectory = json.loads(path.read_text())
        sums['tasks'] += 1
        sums['patches'] += bool(trajectory['info'].get('submission'))
        for message in trajectory.get('messages', []):
            usage = ((message.get('extra') or {}).get('response') or {}).get('usage') or {}
            if not usage:
                continue
            sums['calls'] += 1
            sums['input'] += usage.get('prompt_tokens') or 0
            sums['output'] += usage.get('completion_tokens') or 0
            sums['cached'] += (usage.get('prompt_tokens_details') or {}).get('cached_tokens') or 0
    return sums


def show(reports, given):
    print(f'{"arm":<10}' + ''.join(f'{key:>12}' for key in next(iter(reports.values()))))
    for arm, sums in reports.items():
        print(f'{arm:<10}' + ''.join(f'{value:>12}' for value in sums.values()))
    if given.tasks:
        return
    from minisweagent.run.benchmarks.swebench import DATASET_MAPPING

    name = DATASET_MAPPING.get(given.subset, given.subset)
    print('\nA patch is no solution yet. Judge them with:')
    for arm in reports:
        print(f'  python -m swebench.harness.run_evaluation --dataset_name {name} --split {given.split} --predictions_path {given.output}/{arm}/preds.json --run_id {arm}')


if __name__ == '__main__':
    arguments = options()
    show(run(arguments), arguments)
