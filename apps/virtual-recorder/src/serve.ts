/** Runs recorders until the process exits. */
import { type Config, splitConfig } from './config.ts';
import { type RunningRecorder, startRecorder } from './start.ts';

/** Shuts down all recorders. */
async function stopAll(running: readonly RunningRecorder[]): Promise<void> {
  await Promise.all(running.map((each) => each.stop()));
}

/** Starts `config.count` recorders, prints their URLs, and shuts them down when the process exits. */
export async function serve(config: Config): Promise<void> {
  const running: RunningRecorder[] = [];
  try {
    for (const each of splitConfig(config)) running.push(await startRecorder(each));
  } catch (error) {
    await stopAll(running);
    throw error;
  }
  for (const { recorder, url } of running) {
    console.log(`virtual recorder ${recorder.flash.state.sn} on ${url}`);
  }
  const stop = () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    stopAll(running).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('shutdown failed', error);
        process.exit(1);
      },
    );
  };
  // If another process started the recorder, stop when that process exits.
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
