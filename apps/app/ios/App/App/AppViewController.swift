import Capacitor

/// The one screen of the app: the pages, and what a phone adds to them.
class AppViewController: CAPBridgeViewController {
    override func capacitorDidLoad() {
        bridge?.registerPluginInstance(FilesPlugin())
        bridge?.registerPluginInstance(RecorderNetworkPlugin())
        bridge?.registerPluginInstance(SecureStoragePlugin())
        bridge?.registerPluginInstance(TransfersPlugin())
    }
}
