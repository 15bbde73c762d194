import Capacitor

/// The only view controller, which hosts the web pages and registers the native plugins.
class AppViewController: CAPBridgeViewController {
    override func capacitorDidLoad() {
        bridge?.registerPluginInstance(FilesPlugin())
        bridge?.registerPluginInstance(RecorderNetworkPlugin())
        bridge?.registerPluginInstance(SecureStoragePlugin())
        bridge?.registerPluginInstance(TransfersPlugin())
    }
}
