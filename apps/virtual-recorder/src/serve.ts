/** Recorders as a process: until it is told to end, each goes on. */
import { type Config, eachConfig } from './config.ts';
import { type RunningRecorder, startRecorder } from './start.ts';

/** Switches all of them off, each in order. */
async function stopAll(running: readonly RunningRecorder[]): Promise<void> {
  await Promise.all(running.map((each) => each.stop()));
}

/** Starts `config.count` recorders, says where each is, and switches them off when the process is to end. */
export async function serve(config: Config): Promise<void> {
  const running: RunningRecorder[] = [];
  try {
    for (const each of eachConfig(config)) running.push(await startRecorder(each));
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
        console.error('switching off failed', error);
        process.exit(1);
      },
    );
  };
  // Started by another process over a channel, it does not outlive that process.
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
