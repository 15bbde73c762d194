export { demuxOgg, type OggOpus, type OggOpusHead, OggOpusReader } from './demuxer.ts';
export { muxOgg, OggOpusMuxer } from './muxer.ts';
