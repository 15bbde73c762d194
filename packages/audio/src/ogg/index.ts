export { demuxOgg, type OggOpus } from './demuxer.ts';
export { muxOgg, OggOpusMuxer } from './muxer.ts';
