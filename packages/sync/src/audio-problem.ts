import type { RecordStore } from './ports/records.ts';

/**
 * Returns the patch that clears a record's problem once its audio is being stored. The reason why a transcription failed
 * remains, because the audio doesn't change it.
 */
export async function clearAudioProblem(
  records: Pick<RecordStore, 'work'>,
  id: string,
): Promise<{ readonly problem?: null }> {
  const problem = (await records.work([id])).get(id)?.problem;
  return problem?.step === 'transcribe' ? {} : { problem: null };
}
