/** English: the source of the keys and arguments that every other language has to have. */
import agreements from './agreements.ts';
import entry from './entry.ts';
import help from './help.ts';
import library from './library.ts';
import me from './me.ts';
import recorder from './recorder.ts';
import recording from './recording.ts';

export default {
  ...entry,
  ...library,
  ...recording,
  ...recorder,
  ...me,
  ...help,
  ...agreements,
};
