/** A private D-Bus daemon in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export class PrivateBus {
  /** The value of `DBUS_SYSTEM_BUS_ADDRESS`. */
  readonly address: string;
  private readonly daemon: ChildProcess;
  private readonly dir: string;

  private constructor(address: string, daemon: ChildProcess, dir: string) {
    this.address = address;
    this.daemon = daemon;
    this.dir = dir;
  }

  /**
   * Starts a daemon.
   * @param parent the socket's parent folder; its path must be shorter than 100 bytes
   */
  static async start(parent: string = tmpdir()): Promise<PrivateBus> {
    const dir = await mkdtemp(join(parent, 'linnet-bus-'));
    const daemon = spawn(
      'dbus-daemon',
      ['--session', '--nofork', '--nopidfile', '--print-address', `--address=unix:dir=${dir}`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const failed = once(daemon, 'exit').then(([code]) => {
      throw new Error(`dbus-daemon exited with ${code} during startup`);
    });
    const lines = createInterface({ input: daemon.stdout });
    const [address] = await Promise.race([once(lines, 'line'), once(daemon, 'error'), failed]);
    if (address instanceof Error) throw address;
    return new PrivateBus(String(address), daemon, dir);
  }

  async stop(): Promise<void> {
    if (this.daemon.exitCode === null) {
      const exited = once(this.daemon, 'exit');
      this.daemon.kill();
      await exited;
    }
    await rm(this.dir, { recursive: true, force: true });
  }
}
