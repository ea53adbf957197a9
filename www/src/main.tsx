import { render } from 'preact';
import { App } from './app.js';
import { openDemo } from './state/demos.js';
import { keepComparing } from './state/compare.js';
import { change, keepReplaying } from './state/conversation.js';
import { fromQuery } from './lib/link.js';
import { query } from './state/route.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/context.css';
import './styles/pages.css';

const root = document.getElementById('app');
if (root) render(<App />, root);
change(fromQuery(query()));
addEventListener('hashchange', () => query() !== '' && change(fromQuery(query())));
keepReplaying();
keepComparing();
void openDemo('fix-webhook-retries');
