import { render } from 'preact';
import { App } from './app.js';
import { openDemo } from './state/demos.js';
import { keepReplaying } from './state/conversation.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/context.css';

const root = document.getElementById('app');
if (root) render(<App />, root);
keepReplaying();
void openDemo('fix-webhook-retries');
