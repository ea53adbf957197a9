/** What Playwright launches the project's browser without a window with. */
export function launchOptions(): { executablePath: string; args: string[] };
