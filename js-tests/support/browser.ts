// A real browser without a window, and a server on this machine that it may ask.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { launchOptions } from '../../scripts/browser.mjs';

/** Starts the browser with the flags that all tests of the project use. */
export const launch = (): Promise<Browser> => chromium.launch(launchOptions());

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' };

/** Serves some texts by their paths; every page may run its own scripts and compile wasm, and no more. */
export class Site {
  readonly asked: string[] = [];
  readonly #server: Server;

  constructor(files: ReadonlyMap<string, string>) {
    this.#server = createServer(({ url = '/' }, response) => {
      const { pathname } = new URL(url, 'http://localhost');
      const text = files.get(pathname);
      this.asked.push(pathname);
      response.writeHead(text === undefined ? 404 : 200, {
        'Content-Type': `${TYPES[pathname.split('.').at(-1) ?? ''] ?? 'text/plain'}; charset=utf-8`,
        'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'",
      });
      response.end(text);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
