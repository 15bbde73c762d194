import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../project.mjs';
import { type Element, elements, type Plist, parsePlist } from './markup.ts';
import { app, CARRIED, copyProjects, serverOrigin, syncPhones } from './sync.mjs';

const android = join(app, 'android');
const ios = join(app, 'ios', 'App');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

const LANGUAGES = ['en', 'zh-Hans', 'ar', 'ja', 'ko', 'th', 'ru', 'es', 'pt', 'fr'];

/** The plugins that both projects are to be built with. */
const PLUGINS = [
  '@capacitor-community/bluetooth-le',
  '@capacitor/app',
  '@capacitor/network',
  '@capacitor/share',
];

/** A copy of the projects is synced: the ones of the app may be on their way to a phone, with a server of their own. */
const synced = join(root, '.cache', 'phones');
const carried = join(synced, CARRIED);
const server = 'https://linnet.example';

beforeAll(async () => {
  await copyProjects(synced);
  await syncPhones(server, synced);
});

describe('the synced projects', () => {
  const copies = [
    ['Android', join(synced, 'android/app/src/main/assets')],
    ['iOS', join(synced, 'ios/App/App')],
  ] as const;

  it.each(copies)('%s carries the pages that were built', (_, folder) => {
    const names = (readdirSync(carried, { recursive: true }) as string[]).toSorted();
    const copied = (
      readdirSync(join(folder, 'public'), { recursive: true }) as string[]
    ).toSorted();
    expect(copied.filter((name) => !name.startsWith('cordova'))).toEqual(names);
    for (const name of names.filter((each) => each.endsWith('.js'))) {
      expect(read(folder, 'public', name), name).toBe(read(app, 'dist', name));
    }
    expect(JSON.parse(read(folder, 'capacitor.config.json'))).toMatchObject({
      appId: 'org.linnet.app',
      appName: 'Linnet',
    });
  });

  it('carry no part of the web app that a phone does not use', () => {
    const names = readdirSync(carried, { recursive: true }) as string[];
    expect(
      names.filter((name) => /\.(gz|br|map)$|sw\.js|workbench|webmanifest/.test(name)),
    ).toEqual([]);
    expect(read(carried, 'index.html')).not.toContain('manifest');
  });

  it('are told where the server is', () => {
    const [told] = elements(read(carried, 'index.html')).filter(
      ({ attributes }) => attributes.name === 'server',
    );
    expect(told?.attributes.content).toBe(server);
    expect(serverOrigin('https://linnet.example/pages')).toBe('https://linnet.example');
    expect(() => serverOrigin('http://linnet.example')).toThrow('https');
  });

  it('let the pages run nothing but what they carry, and ask only where a server lets its own', () => {
    const html = read(carried, 'index.html');
    const policies = elements(html).filter(
      ({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy',
    );
    expect(policies.map(({ attributes }) => attributes.content)).toEqual([
      [
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data: blob: https:",
        "media-src 'self' blob: https:",
        "worker-src 'self' blob:",
        "connect-src 'self' https: http://192.168.4.1:* ws://192.168.4.1:*",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ].join('; '),
    ]);
    // Before the first script, or it would not bind that.
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<script'));
  });

  it.each([
    'android/capacitor.settings.gradle',
    'android/app/capacitor.build.gradle',
    'ios/App/CapApp-SPM/Package.swift',
  ])('are the ones that were committed: %s', (file) => {
    expect(read(synced, file)).toBe(read(app, file));
  });

  it('are built with the same plugins', () => {
    const gradle = read(android, 'capacitor.settings.gradle');
    const swift = read(ios, 'CapApp-SPM', 'Package.swift');
    for (const plugin of PLUGINS) {
      expect(gradle).toContain(`node_modules/${plugin}/android`);
      expect(swift).toContain(`node_modules/${plugin}"`);
    }
    expect([...gradle.matchAll(/node_modules\/(\S+)\/android'/g)].map(([, name]) => name)).toEqual(
      PLUGINS,
    );
  });
});

/**
 * What Android is asked for, each for the reason that docs/phones.md gives; `until` is the last version of the
 * system's interface that is asked.
 */
const PERMISSIONS: Record<string, { until?: string; flags?: string }> = {
  INTERNET: {},
  ACCESS_NETWORK_STATE: {},
  CHANGE_NETWORK_STATE: {},
  BLUETOOTH_SCAN: { flags: 'neverForLocation' },
  BLUETOOTH_CONNECT: {},
  BLUETOOTH: { until: '30' },
  BLUETOOTH_ADMIN: { until: '30' },
  ACCESS_COARSE_LOCATION: {},
  ACCESS_FINE_LOCATION: {},
  FOREGROUND_SERVICE: {},
  FOREGROUND_SERVICE_CONNECTED_DEVICE: {},
  FOREGROUND_SERVICE_DATA_SYNC: {},
  POST_NOTIFICATIONS: {},
  WAKE_LOCK: {},
  VIBRATE: {},
};

describe("Android's manifest", () => {
  const manifest = elements(read(android, 'app/src/main/AndroidManifest.xml'));
  const named = (name: string, of: Element[] = manifest) =>
    of.filter((element) => element.name === name).map(({ attributes }) => attributes);
  const permissionsOf = (xml: Element[]) =>
    named('uses-permission', xml).map((attributes) => ({
      name: attributes['android:name']?.replace('android.permission.', ''),
      until: attributes['android:maxSdkVersion'],
      flags: attributes['android:usesPermissionFlags'],
    }));

  it('asks for exactly what is needed', () => {
    expect(permissionsOf(manifest)).toEqual(
      Object.entries(PERMISSIONS).map(([name, { until, flags }]) => ({ name, until, flags })),
    );
  });

  it('is asked for nothing else by a plugin', () => {
    const theirs = [...PLUGINS, '@capacitor/android/capacitor'].flatMap((plugin) => {
      const place = plugin.endsWith('capacitor') ? plugin : `${plugin}/android`;
      return elements(read(root, 'node_modules', place, 'src/main/AndroidManifest.xml'));
    });
    const asked = permissionsOf(theirs).map(({ name }) => name);
    expect(asked).toContain('BLUETOOTH_SCAN');
    expect(asked.filter((name) => !Object.hasOwn(PERMISSIONS, name ?? ''))).toEqual([]);
  });

  it.each(Object.keys(PERMISSIONS))('says why it asks for %s', (name) => {
    expect(read(root, 'docs', 'phones.md')).toContain(`\`${name}\``);
  });

  it('keeps tokens and recordings on the phone', () => {
    const [application] = named('application');
    expect(application).toMatchObject({
      'android:allowBackup': 'false',
      'android:dataExtractionRules': '@xml/data_extraction_rules',
      'android:networkSecurityConfig': '@xml/network_security_config',
      'android:supportsRtl': 'true',
    });
    expect(application).not.toHaveProperty('android:usesCleartextTraffic');
    const rules = elements(read(android, 'app/src/main/res/xml/data_extraction_rules.xml'));
    expect(named('exclude', rules)).toHaveLength(8);
    expect(named('include', rules)).toEqual([]);
  });

  it('lets nothing but a recorder be called without encryption', () => {
    const config = read(android, 'app/src/main/res/xml/network_security_config.xml');
    expect(named('base-config', elements(config))).toEqual([
      { cleartextTrafficPermitted: 'false' },
    ]);
    expect([...config.matchAll(/<domain [^>]*>([^<]*)</g)].map(([, host]) => host)).toEqual([
      '192.168.4.1',
    ]);
  });

  it('declares the service that transfers run in, and nothing that others may start but the app', () => {
    expect(named('service')).toEqual([
      {
        'android:name': '.TransferService',
        'android:exported': 'false',
        'android:foregroundServiceType': 'connectedDevice|dataSync',
      },
    ]);
    const exported = manifest.filter(({ attributes }) => attributes['android:exported'] === 'true');
    expect(exported.map(({ attributes }) => attributes['android:name'])).toEqual(['.MainActivity']);
  });

  it('is offered to phones that lack what only some of it needs', () => {
    expect(named('uses-feature')).toEqual(
      ['bluetooth', 'bluetooth_le', 'location'].map((name) => ({
        'android:name': `android.hardware.${name}`,
        'android:required': 'false',
      })),
    );
  });

  it('takes what the web app takes, too', () => {
    const actions = named('action').map((attributes) => attributes['android:name']);
    expect(actions).toContain('android.intent.action.SEND');
    expect(actions).toContain('android.intent.action.SEND_MULTIPLE');
    const kinds = named('data').map((attributes) => attributes['android:mimeType']);
    const { share_target } = JSON.parse(read(app, 'public', 'manifest.webmanifest'));
    const accepted: string[] = share_target.params.files[0].accept;
    for (const kind of accepted.filter((each) => each.includes('/'))) expect(kinds).toContain(kind);
  });

  it('names only what there is', () => {
    const res = join(android, 'app/src/main/res');
    const files = readdirSync(res, { recursive: true }) as string[];
    const values = files.filter((name) => name.includes('values')).map((name) => join(res, name));
    const defined = values
      .filter((name) => name.endsWith('.xml'))
      .flatMap((name) =>
        elements(readFileSync(name, 'utf8')).map(({ attributes }) => attributes.name),
      );
    const xml = [
      'AndroidManifest.xml',
      ...files.filter((name) => name.endsWith('.xml')).map((name) => join('res', name)),
    ];
    for (const file of xml) {
      const text = read(android, 'app/src/main', file);
      expect(elements(text).length, file).toBeGreaterThan(0);
      for (const [, kind = '', name = ''] of text.matchAll(/[">]@(\w+)\/([\w.]+)["<]/g)) {
        const there =
          defined.includes(name) ||
          files.some((each) => each.startsWith(kind) && each.endsWith(`/${name}.xml`));
        expect(there, `${file}: @${kind}/${name}`).toBe(true);
      }
    }
  });

  it('has a class for each name, and each plugin of ours on both phones', () => {
    const java = join(android, 'app/src/main/java/org/linnet/app');
    for (const name of ['MainActivity', 'TransferService']) {
      expect(existsSync(join(java, `${name}.java`))).toBe(true);
    }
    const main = read(java, 'MainActivity.java');
    const view = read(ios, 'App', 'AppViewController.swift');
    for (const name of ['Files', 'RecorderNetwork', 'SecureStorage', 'Transfers']) {
      expect(main).toContain(`registerPlugin(${name}Plugin.class)`);
      expect(view).toContain(`registerPluginInstance(${name}Plugin())`);
      const methods = [
        ...read(java, `${name}Plugin.java`).matchAll(/@PluginMethod\s+public void (\w+)/g),
      ].map(([, method]) => method);
      const swift = read(ios, 'App', `${name}Plugin.swift`);
      expect(
        [...swift.matchAll(/CAPPluginMethod\(name: "(\w+)"/g)].map(([, method]) => method),
      ).toEqual(methods);
      for (const method of methods) expect(swift).toContain(`@objc func ${method}(_ call`);
    }
  });
});

describe("iOS's property lists", () => {
  const info = parsePlist(read(ios, 'App', 'Info.plist')) as Record<string, Plist>;

  /** What iOS asks the owner for, each with a sentence of ours. */
  const REASONS = [
    'NSBluetoothAlwaysUsageDescription',
    'NSCameraUsageDescription',
    'NSLocalNetworkUsageDescription',
    'NSLocationWhenInUseUsageDescription',
    'NSMicrophoneUsageDescription',
  ];

  it('say in all ten languages what each thing is asked for, and ask for nothing else', () => {
    const reasons = Object.keys(info).filter((key) => key.endsWith('UsageDescription'));
    expect(reasons).toEqual(REASONS);
    expect(info.CFBundleLocalizations).toEqual(LANGUAGES);
    const { strings } = JSON.parse(read(ios, 'App', 'InfoPlist.xcstrings'));
    expect(Object.keys(strings)).toEqual(reasons);
    for (const reason of reasons) {
      const { localizations } = strings[reason];
      expect(Object.keys(localizations)).toEqual(LANGUAGES);
      expect(localizations.en.stringUnit.value).toBe(info[reason]);
      for (const language of LANGUAGES) {
        const { value } = localizations[language].stringUnit;
        expect(value, `${reason} ${language}`).toContain('Linnet');
        if (language !== 'en') expect(value).not.toBe(info[reason]);
      }
    }
  });

  it('run on in the background for Bluetooth alone', () => {
    expect(info.UIBackgroundModes).toEqual(['bluetooth-central']);
  });

  it('let nothing but the local network be called without encryption', () => {
    expect(info.NSAppTransportSecurity).toEqual({ NSAllowsLocalNetworking: true });
  });

  it('may join a network and tell whether it did, and nothing else', () => {
    expect(parsePlist(read(ios, 'App', 'App.entitlements'))).toEqual({
      'com.apple.developer.networking.HotspotConfiguration': true,
      'com.apple.developer.networking.wifi-info': true,
    });
  });

  it('take copies of sound that other apps hand over', () => {
    expect(info.LSSupportsOpeningDocumentsInPlace).toBe(false);
    expect(info.CFBundleDocumentTypes).toMatchObject([
      { LSItemContentTypes: ['public.audio', 'public.mpeg-4'], LSHandlerRank: 'Alternate' },
    ]);
  });

  it('track nobody, and name what they read for themselves', () => {
    const accessed = (kind: string, reason: string) => ({
      NSPrivacyAccessedAPIType: `NSPrivacyAccessedAPICategory${kind}`,
      NSPrivacyAccessedAPITypeReasons: [reason],
    });
    expect(parsePlist(read(ios, 'App', 'PrivacyInfo.xcprivacy'))).toEqual({
      NSPrivacyTracking: false,
      NSPrivacyTrackingDomains: [],
      NSPrivacyCollectedDataTypes: [],
      NSPrivacyAccessedAPITypes: [
        accessed('FileTimestamp', 'C617.1'),
        accessed('UserDefaults', 'CA92.1'),
      ],
    });
  });

  it.each([
    ...REASONS,
    ...['bluetooth-central', 'NSAllowsLocalNetworking'],
    'com.apple.developer.networking.HotspotConfiguration',
    'com.apple.developer.networking.wifi-info',
  ])('are explained: %s', (key) => {
    expect(read(root, 'docs', 'phones.md')).toContain(`\`${key}\``);
  });
});

describe("Xcode's project", () => {
  const project = read(ios, 'App.xcodeproj', 'project.pbxproj');

  it('builds every source and brings every resource', () => {
    const names = readdirSync(join(ios, 'App'));
    for (const name of names.filter((each) => each.endsWith('.swift'))) {
      expect(project).toContain(`/* ${name} in Sources */,`);
    }
    for (const name of ['InfoPlist.xcstrings', 'PrivacyInfo.xcprivacy', 'Assets.xcassets']) {
      expect(names).toContain(name);
      expect(project).toContain(`/* ${name} in Resources */,`);
    }
    expect(project.match(/CODE_SIGN_ENTITLEMENTS = App\/App.entitlements;/g)).toHaveLength(2);
  });

  it('refers to nothing that it does not have', () => {
    const defined = new Set(
      [...project.matchAll(/^\t\t([0-9A-F]{24}) (?:\/\*.*\*\/ )?= \{/gm)].map(([, id]) => id),
    );
    const used = new Set([...project.matchAll(/\b[0-9A-F]{24}\b/g)].map(([id]) => id));
    expect([...used].filter((id) => !defined.has(id))).toEqual([]);
    const paths = [
      ...project.matchAll(
        /path = "?([^";]+\.(?:swift|plist|xcassets|storyboard|xcstrings|xcprivacy|entitlements))"?;/g,
      ),
    ];
    for (const [, path = ''] of paths) expect(existsSync(join(ios, 'App', path)), path).toBe(true);
  });
});

describe("the web app's manifest", () => {
  const manifest = JSON.parse(read(app, 'public', 'manifest.webmanifest'));
  const html = read(app, 'index.html');
  /** Width and height, as a PNG says itself. */
  const sizeOf = (src: string) => {
    const header = readFileSync(join(app, 'public', src)).subarray(16, 24);
    return `${header.readUInt32BE(0)}x${header.readUInt32BE(4)}`;
  };
  type Picture = { src: string; type: string; sizes: string; purpose?: string };
  const icons: Picture[] = manifest.icons;

  it('says what an installed app is, and keeps saying it is the same', () => {
    expect(manifest).toMatchObject({
      ...{ name: 'Linnet', short_name: 'Linnet', id: '/', start_url: '/', scope: '/' },
      ...{ display: 'standalone', theme_color: '#fbf8f4', background_color: '#fbf8f4' },
    });
  });

  it('has pictures of the sizes that it names', () => {
    const pictures: Picture[] = [
      ...icons,
      ...manifest.screenshots,
      ...manifest.shortcuts.flatMap((each: { icons: Picture[] }) => each.icons),
    ];
    for (const { src, type, sizes } of pictures) {
      if (type === 'image/png') expect(sizeOf(src), src).toBe(sizes);
      else expect(existsSync(join(app, 'public', src))).toBe(true);
    }
    const plain = icons.filter(({ purpose = 'any' }) => purpose === 'any');
    expect(plain.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512']);
    const maskable = icons.filter(({ purpose }) => purpose === 'maskable');
    expect(maskable.map(({ sizes }) => sizes)).toEqual(['512x512']);
    const forms = manifest.screenshots.map((each: { form_factor: string }) => each.form_factor);
    expect(new Set(forms)).toEqual(new Set(['narrow', 'wide']));
  });

  it('has shortcuts to pages that there are', () => {
    const pages = read(app, 'src', 'page-kit', 'paths.ts');
    const urls: string[] = manifest.shortcuts.map((each: { url: string }) => each.url);
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(pages).toContain(`: '${url}',`);
  });

  it('goes with a page that fits light and dark, and the edges of a screen', () => {
    expect(html).toContain('viewport-fit=cover');
    const colours = elements(html)
      .map(({ attributes }) => attributes)
      .filter(({ name }) => name === 'theme-color');
    expect(colours.map(({ content }) => content)).toEqual(['#fbf8f4', '#131110']);
    const tokens = read(app, 'src', 'ui', 'tokens.css');
    for (const side of ['top', 'bottom', 'left', 'right']) {
      expect(tokens).toContain(`--safe-${side}: env(safe-area-inset-${side}, 0px);`);
    }
  });
});
