export { demuxOgg, type OggOpus, type OggOpusHead, OggOpusReader } from './demuxer.ts';
export { muxOgg, OggOpusMuxer } from './muxer.ts';
export { MAX_PACKET_BYTES } from './packets.ts';
export { findPage, writePage } from './page.ts';
export { type OggAudioPage, type OggLink, OggScanner } from './scanner.ts';
