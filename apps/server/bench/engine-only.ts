import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWave } from '@linnet/audio/wave';
import { NICENESS } from '../src/providers/speech/child.ts';
import { parseCtm, sliceName } from '../src/providers/speech/pocketsphinx/ctm.ts';
import { DECODER_FLAGS } from '../src/providers/speech/pocketsphinx/index.ts';
import { findPocketSphinx } from '../src/providers/speech/pocketsphinx/installation.ts';
import type { RecognizedWord } from '../src/providers/speech/port.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { withScratch } from '../src/providers/speech/scratch.ts';

/** Runs PocketSphinx with our flags on 16 kHz mono samples, unsliced and in one process. */
export function transcribeWithEngineOnly(samples: Int16Array): Promise<RecognizedWord[]> {
  return withScratch(async (folder) => {
    const search = await findPocketSphinx(process.env.ENGINES_DIR);
    if (search.status === 'missing') throw new Error(`PocketSphinx: ${search.code}`);
    const { program, acousticModel, dictionary, languageModel, env } = search.installation;
    const [control, output] = [join(folder, 'plain.ctl'), join(folder, 'plain.ctm')];
    await writeFile(join(folder, 'audio.wav'), writeWave(samples, SPEECH_SAMPLE_RATE));
    await writeFile(control, `audio 0 -1 ${sliceName(0)}\n`);
    const args = [
      ...['-hmm', acousticModel, '-dict', dictionary, '-lm', languageModel],
      ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', folder, '-cepext', '.wav'],
      ...['-ctl', control, '-ctm', output, '-logfn', join(folder, 'plain.log')],
      ...DECODER_FLAGS,
    ];
    // The same priority as our adapter, so load affects both equally.
    await promisify(execFile)('nice', ['-n', NICENESS, program, ...args], {
      env: { PATH: process.env.PATH, ...env },
    });
    return parseCtm(await readFile(output, 'utf8'));
  });
}
