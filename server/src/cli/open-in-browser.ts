import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program of each system that opens a file or a URL. */
const programs: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` would need a shell, which interprets `&`.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a file or a URL in the browser of the system. If that does not work, it says so: the address is printed anyway. */
export async function openInBrowser(address: string): Promise<void> {
  const [program, ...args] = programs[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.unref();
  await once(child, 'spawn').catch(() => console.error('No browser could be opened: open it yourself.'));
}
