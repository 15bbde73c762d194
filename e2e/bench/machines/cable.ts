import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, 'delayed-cable.py');
/** Maximum transmission unit in bytes: that of jumbo frames, which data centers use. */
const MTU = 9000;
/** Stands for the namespace of this process. */
export const PARENT_NAMESPACE = '-';

/** An end of a cable: a new interface in a network namespace. */
type CableEnd = { readonly namespace: string; readonly interfaceName: string };

/** A cable between two network namespaces. */
export class Cable {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /**
   * Connects two namespaces.
   * @param delayMs delay of each frame in milliseconds
   * @throws if the interfaces can't be created
   */
  static async connect(delayMs: number, ends: readonly [CableEnd, CableEnd]): Promise<Cable> {
    const args = [
      PROGRAM,
      `${delayMs}`,
      `${MTU}`,
      ...ends.flatMap(({ namespace, interfaceName }) => [namespace, interfaceName]),
    ];
    // The cable is removed when its standard input closes, even if this process is killed.
    const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const isReady = await Promise.race([
      once(child.stdout, 'data').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    if (!isReady) throw new Error('could not create virtual interfaces; see the output above');
    return new Cable(child);
  }

  /** Removes the cable and both interfaces at once. Frames on their way are lost. */
  async remove(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }
}
