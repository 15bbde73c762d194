import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../project.mjs';
import { type Element, type Plist, parseElements, parsePlist } from './markup.ts';
import { appFolder, copyProjects, getServerOrigin, syncPhones, WEB_DIR } from './sync.mjs';

const android = join(appFolder, 'android');
const ios = join(appFolder, 'ios', 'App');
const readText = (...path: string[]) => readFileSync(join(...path), 'utf8');

const LANGUAGES = ['en', 'zh-Hans', 'ar', 'ja', 'ko', 'th', 'ru', 'es', 'pt', 'fr'];

/** The plugins used by both projects. */
const PLUGINS = [
  '@capacitor-community/bluetooth-le',
  '@capacitor/app',
  '@capacitor/local-notifications',
  '@capacitor/network',
  '@capacitor/share',
];

/** A synced copy of the projects, because the originals may contain a release with another server URL. */
const syncedFolder = join(root, '.cache', 'phones');
const webDir = join(syncedFolder, WEB_DIR);
const server = 'https://linnet.example';

beforeAll(async () => {
  await copyProjects(syncedFolder);
  await syncPhones(server, syncedFolder);
});

describe('the synced projects', () => {
  const copies = [
    ['Android', join(syncedFolder, 'android/app/src/main/assets')],
    ['iOS', join(syncedFolder, 'ios/App/App')],
  ] as const;

  it.each(copies)('contain the built pages: %s', (_, folder) => {
    const names = (readdirSync(webDir, { recursive: true }) as string[]).toSorted();
    const copied = (
      readdirSync(join(folder, 'public'), { recursive: true }) as string[]
    ).toSorted();
    expect(copied.filter((name) => !name.startsWith('cordova'))).toEqual(names);
    for (const name of names.filter((each) => each.endsWith('.js'))) {
      expect(readText(folder, 'public', name), name).toBe(readText(appFolder, 'dist', name));
    }
    expect(JSON.parse(readText(folder, 'capacitor.config.json'))).toMatchObject({
      appId: 'org.linnet.app',
      appName: 'Linnet',
    });
  });

  it('contain no files that only the web app uses', () => {
    const names = readdirSync(webDir, { recursive: true }) as string[];
    expect(
      names.filter((name) => /\.(gz|br|map)$|^sw\.js$|workbench|webmanifest/.test(name)),
    ).toEqual([]);
    expect(readText(webDir, 'index.html')).not.toContain('manifest');
  });

  it('contain the server URL', () => {
    const [meta] = parseElements(readText(webDir, 'index.html')).filter(
      ({ attributes }) => attributes.name === 'server',
    );
    expect(meta?.attributes.content).toBe(server);
    expect(getServerOrigin('https://linnet.example/pages')).toBe('https://linnet.example');
    expect(() => getServerOrigin('http://linnet.example')).toThrow('https');
  });

  it('restrict scripts and connections by a Content Security Policy', () => {
    const html = readText(webDir, 'index.html');
    const policies = parseElements(html).filter(
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
    // The policy doesn't apply to scripts that precede it.
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<script'));
  });

  it.each([
    'android/capacitor.settings.gradle',
    'android/app/capacitor.build.gradle',
    'ios/App/CapApp-SPM/Package.swift',
  ])('match the committed file %s', (file) => {
    expect(readText(syncedFolder, file)).toBe(readText(appFolder, file));
  });

  it('are built with the same plugins', () => {
    const gradle = readText(android, 'capacitor.settings.gradle');
    const swift = readText(ios, 'CapApp-SPM', 'Package.swift');
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
 * The Android permissions. docs/phones.md gives the reason for each. `until` is the last API level that needs the
 * permission.
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
  RECORD_AUDIO: {},
  MODIFY_AUDIO_SETTINGS: {},
  FOREGROUND_SERVICE: {},
  FOREGROUND_SERVICE_CONNECTED_DEVICE: {},
  FOREGROUND_SERVICE_DATA_SYNC: {},
  FOREGROUND_SERVICE_MICROPHONE: {},
  POST_NOTIFICATIONS: {},
  WAKE_LOCK: {},
  RECEIVE_BOOT_COMPLETED: {},
  VIBRATE: {},
};

describe("Android's manifest", () => {
  const manifest = parseElements(readText(android, 'app/src/main/AndroidManifest.xml'));
  const findAttributes = (name: string, xml: Element[] = manifest) =>
    xml.filter((element) => element.name === name).map(({ attributes }) => attributes);
  const findPermissions = (xml: Element[]) =>
    findAttributes('uses-permission', xml).map((attributes) => ({
      name: attributes['android:name']?.replace('android.permission.', ''),
      until: attributes['android:maxSdkVersion'],
      flags: attributes['android:usesPermissionFlags'],
    }));

  const isRemoved = ({ attributes }: Element) => attributes['tools:node'] === 'remove';

  it('requests exactly the expected permissions', () => {
    expect(findPermissions(manifest.filter((element) => !isRemoved(element)))).toEqual(
      Object.entries(PERMISSIONS).map(([name, { until, flags }]) => ({ name, until, flags })),
    );
  });

  it('gets no additional permissions from plugins', () => {
    const pluginElements = [...PLUGINS, '@capacitor/android/capacitor'].flatMap((plugin) => {
      const folder = plugin.endsWith('capacitor') ? plugin : `${plugin}/android`;
      return parseElements(readText(root, 'node_modules', folder, 'src/main/AndroidManifest.xml'));
    });
    const requested = findPermissions(pluginElements).map(({ name }) => name);
    expect(requested).toContain('BLUETOOTH_SCAN');
    const removed = findPermissions(manifest.filter(isRemoved)).map(({ name }) => name);
    const added = requested.filter((name) => !Object.hasOwn(PERMISSIONS, name ?? ''));
    expect(added).toEqual(removed);
  });

  it.each(Object.keys(PERMISSIONS))('has a documented reason for %s', (name) => {
    expect(readText(root, 'docs', 'phones.md')).toContain(`\`${name}\``);
  });

  it('excludes tokens and recordings from backups', () => {
    const [application] = findAttributes('application');
    expect(application).toMatchObject({
      'android:allowBackup': 'false',
      'android:dataExtractionRules': '@xml/data_extraction_rules',
      'android:networkSecurityConfig': '@xml/network_security_config',
      'android:supportsRtl': 'true',
    });
    expect(application).not.toHaveProperty('android:usesCleartextTraffic');
    const rules = parseElements(
      readText(android, 'app/src/main/res/xml/data_extraction_rules.xml'),
    );
    expect(findAttributes('exclude', rules)).toHaveLength(8);
    expect(findAttributes('include', rules)).toEqual([]);
  });

  it('allows cleartext traffic to a recorder only', () => {
    const config = readText(android, 'app/src/main/res/xml/network_security_config.xml');
    expect(findAttributes('base-config', parseElements(config))).toEqual([
      { cleartextTrafficPermitted: 'false' },
    ]);
    expect([...config.matchAll(/<domain [^>]*>([^<]*)</g)].map(([, host]) => host)).toEqual([
      '192.168.4.1',
    ]);
  });

  it("grants the pages' request for the microphone with permissions of this manifest", () => {
    const client = join(
      root,
      'node_modules/@capacitor/android/capacitor/src/main/java/com/getcapacitor/BridgeWebChromeClient.java',
    );
    const [, requested = ''] =
      readFileSync(client, 'utf8').match(/contains\("[\w.]*AUDIO_CAPTURE"\)\) \{([^}]*)\}/) ?? [];
    const names = [...requested.matchAll(/Manifest\.permission\.(\w+)/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(['MODIFY_AUDIO_SETTINGS', 'RECORD_AUDIO']);
    for (const name of names) expect(PERMISSIONS).toHaveProperty(name ?? '');
  });

  it('declares the transfer service, and exports only the main activity', () => {
    expect(findAttributes('service')).toEqual([
      {
        'android:name': '.TransferService',
        'android:exported': 'false',
        'android:foregroundServiceType': 'connectedDevice|dataSync|microphone',
      },
    ]);
    const exported = manifest.filter(({ attributes }) => attributes['android:exported'] === 'true');
    expect(exported.map(({ attributes }) => attributes['android:name'])).toEqual(['.MainActivity']);
  });

  it('requires no optional hardware', () => {
    expect(findAttributes('uses-feature')).toEqual(
      ['bluetooth', 'bluetooth_le', 'location', 'microphone'].map((name) => ({
        'android:name': `android.hardware.${name}`,
        'android:required': 'false',
      })),
    );
  });

  it('accepts the same shared files as the web app', () => {
    const actions = findAttributes('action').map((attributes) => attributes['android:name']);
    expect(actions).toContain('android.intent.action.SEND');
    expect(actions).toContain('android.intent.action.SEND_MULTIPLE');
    const kinds = findAttributes('data').map((attributes) => attributes['android:mimeType']);
    const { share_target } = JSON.parse(readText(appFolder, 'public', 'manifest.webmanifest'));
    const accepted: string[] = share_target.params.files[0].accept;
    for (const kind of accepted.filter((each) => each.includes('/'))) expect(kinds).toContain(kind);
  });

  it('refers only to existing resources', () => {
    const res = join(android, 'app/src/main/res');
    const files = readdirSync(res, { recursive: true }) as string[];
    const values = files.filter((name) => name.includes('values')).map((name) => join(res, name));
    const defined = values
      .filter((name) => name.endsWith('.xml'))
      .flatMap((name) =>
        parseElements(readFileSync(name, 'utf8')).map(({ attributes }) => attributes.name),
      );
    const xml = [
      'AndroidManifest.xml',
      ...files.filter((name) => name.endsWith('.xml')).map((name) => join('res', name)),
    ];
    for (const file of xml) {
      const text = readText(android, 'app/src/main', file);
      expect(parseElements(text).length, file).toBeGreaterThan(0);
      for (const [, kind = '', name = ''] of text.matchAll(/[">]@(\w+)\/([\w.]+)["<]/g)) {
        const exists =
          defined.includes(name) ||
          files.some((each) => each.startsWith(kind) && each.endsWith(`/${name}.xml`));
        expect(exists, `${file}: @${kind}/${name}`).toBe(true);
      }
    }
  });

  it('has a class for each component, and our plugins match those of iOS', () => {
    const java = join(android, 'app/src/main/java/org/linnet/app');
    for (const name of ['MainActivity', 'TransferService']) {
      expect(existsSync(join(java, `${name}.java`))).toBe(true);
    }
    const main = readText(java, 'MainActivity.java');
    const view = readText(ios, 'App', 'AppViewController.swift');
    for (const name of ['Files', 'RecorderNetwork', 'SecureStorage', 'Transfers']) {
      expect(main).toContain(`registerPlugin(${name}Plugin.class)`);
      expect(view).toContain(`registerPluginInstance(${name}Plugin())`);
      const methods = [
        ...readText(java, `${name}Plugin.java`).matchAll(/@PluginMethod\s+public void (\w+)/g),
      ].map(([, method]) => method);
      const swift = readText(ios, 'App', `${name}Plugin.swift`);
      expect(
        [...swift.matchAll(/CAPPluginMethod\(name: "(\w+)"/g)].map(([, method]) => method),
      ).toEqual(methods);
      for (const method of methods) expect(swift).toContain(`@objc func ${method}(_ call`);
    }
  });
});

describe("iOS's property lists", () => {
  const info = parsePlist(readText(ios, 'App', 'Info.plist')) as Record<string, Plist>;

  /** The keys of the messages in permission prompts. */
  const REASONS = [
    'NSBluetoothAlwaysUsageDescription',
    'NSCameraUsageDescription',
    'NSLocalNetworkUsageDescription',
    'NSLocationWhenInUseUsageDescription',
    'NSMicrophoneUsageDescription',
  ];

  it('explain exactly the expected permissions, in all ten languages', () => {
    const reasons = Object.keys(info).filter((key) => key.endsWith('UsageDescription'));
    expect(reasons).toEqual(REASONS);
    expect(info.CFBundleLocalizations).toEqual(LANGUAGES);
    const { strings } = JSON.parse(readText(ios, 'App', 'InfoPlist.xcstrings'));
    expect(Object.keys(strings)).toEqual(reasons);
    for (const reason of reasons) {
      const { localizations } = strings[reason];
      expect(Object.keys(localizations)).toEqual(LANGUAGES);
      expect(localizations.en.stringUnit.value).toBe(info[reason]);
      for (const language of LANGUAGES) {
        const { value } = localizations[language].stringUnit;
        expect(value, `${reason} ${language}`).toContain('Linnet');
        if (language !== 'en') expect(value).not.toBe(info[reason]);
        // Wording that the app avoids: another word for the recorder, European Portuguese, a space in Japanese.
        expect(value).not.toMatch(/เครื่องบันทึก|câmara|Linnet (は|が)/);
      }
    }
  });

  it('allow background execution for the microphone and Bluetooth only', () => {
    expect(info.UIBackgroundModes).toEqual(['audio', 'bluetooth-central']);
  });

  it('allow cleartext traffic on the local network only', () => {
    expect(info.NSAppTransportSecurity).toEqual({ NSAllowsLocalNetworking: true });
  });

  it('have only the entitlements to join a Wi-Fi network and read its name', () => {
    expect(parsePlist(readText(ios, 'App', 'App.entitlements'))).toEqual({
      'com.apple.developer.networking.HotspotConfiguration': true,
      'com.apple.developer.networking.wifi-info': true,
    });
  });

  it('accept copies of audio files from other apps', () => {
    expect(info.LSSupportsOpeningDocumentsInPlace).toBe(false);
    expect(info.CFBundleDocumentTypes).toMatchObject([
      { LSItemContentTypes: ['public.audio', 'public.mpeg-4'], LSHandlerRank: 'Alternate' },
    ]);
  });

  it('declare no tracking, and the reasons for the required-reason APIs', () => {
    const createAccessedApi = (kind: string, reason: string) => ({
      NSPrivacyAccessedAPIType: `NSPrivacyAccessedAPICategory${kind}`,
      NSPrivacyAccessedAPITypeReasons: [reason],
    });
    expect(parsePlist(readText(ios, 'App', 'PrivacyInfo.xcprivacy'))).toEqual({
      NSPrivacyTracking: false,
      NSPrivacyTrackingDomains: [],
      NSPrivacyCollectedDataTypes: [],
      NSPrivacyAccessedAPITypes: [
        createAccessedApi('FileTimestamp', 'C617.1'),
        createAccessedApi('UserDefaults', 'CA92.1'),
      ],
    });
  });

  it.each([
    ...REASONS,
    'audio',
    'bluetooth-central',
    'NSAllowsLocalNetworking',
    'com.apple.developer.networking.HotspotConfiguration',
    'com.apple.developer.networking.wifi-info',
  ])('have a documented reason for %s', (key) => {
    expect(readText(root, 'docs', 'phones.md')).toContain(`\`${key}\``);
  });
});

describe("Xcode's project", () => {
  const project = readText(ios, 'App.xcodeproj', 'project.pbxproj');

  it('contains every source file and resource', () => {
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

  it('refers only to existing objects and files', () => {
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
  const manifest = JSON.parse(readText(appFolder, 'public', 'manifest.webmanifest'));
  const html = readText(appFolder, 'index.html');
  /** Reads the width and height of a PNG image from its header. */
  const readImageSize = (src: string) => {
    const header = readFileSync(join(appFolder, 'public', src)).subarray(16, 24);
    return `${header.readUInt32BE(0)}x${header.readUInt32BE(4)}`;
  };
  type Picture = { src: string; type: string; sizes: string; purpose?: string };
  const icons: Picture[] = manifest.icons;

  it('has a stable identity, name and colors', () => {
    expect(manifest).toMatchObject({
      name: 'Linnet',
      short_name: 'Linnet',
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      theme_color: '#fbf8f4',
      background_color: '#fbf8f4',
    });
  });

  it('has images of the declared sizes', () => {
    const pictures: Picture[] = [
      ...icons,
      ...manifest.screenshots,
      ...manifest.shortcuts.flatMap((each: { icons: Picture[] }) => each.icons),
    ];
    for (const { src, type, sizes } of pictures) {
      if (type === 'image/png') expect(readImageSize(src), src).toBe(sizes);
      else expect(existsSync(join(appFolder, 'public', src))).toBe(true);
    }
    const plainIcons = icons.filter(({ purpose = 'any' }) => purpose === 'any');
    expect(plainIcons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512']);
    const maskable = icons.filter(({ purpose }) => purpose === 'maskable');
    expect(maskable.map(({ sizes }) => sizes)).toEqual(['512x512']);
    const forms = manifest.screenshots.map((each: { form_factor: string }) => each.form_factor);
    expect(new Set(forms)).toEqual(new Set(['narrow', 'wide']));
  });

  it('has shortcuts to existing pages only', () => {
    const pages = readText(appFolder, 'src', 'page-kit', 'paths.ts');
    const urls: string[] = manifest.shortcuts.map((each: { url: string }) => each.url);
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(pages).toContain(`: '${url}',`);
  });

  it('belongs to a page with theme colors for light and dark, and safe-area insets', () => {
    expect(html).toContain('viewport-fit=cover');
    const colors = parseElements(html)
      .map(({ attributes }) => attributes)
      .filter(({ name }) => name === 'theme-color');
    expect(colors.map(({ content }) => content)).toEqual(['#fbf8f4', '#131110']);
    const tokens = readText(appFolder, 'src', 'ui', 'tokens.css');
    for (const side of ['top', 'bottom', 'left', 'right']) {
      expect(tokens).toContain(`--safe-${side}: env(safe-area-inset-${side}, 0px);`);
    }
  });
});
