/** English: the source of the keys and arguments that every other language has to have. */
import entry from './entry.ts';
import library from './library.ts';
import me from './me.ts';
import membership from './membership.ts';
import places from './places.ts';
import recorder from './recorder.ts';
import recording from './recording.ts';

export default { ...entry, ...library, ...recording, ...recorder, ...me, ...membership, ...places };
