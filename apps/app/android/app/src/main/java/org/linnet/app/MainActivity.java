package org.linnet.app;

import android.os.Bundle;
import com.getcapacitor.BridgeActivity;

/** The one screen of the app: the pages, and what a phone adds to them. */
public class MainActivity extends BridgeActivity {

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        registerPlugin(FilesPlugin.class);
        registerPlugin(RecorderNetworkPlugin.class);
        registerPlugin(TransfersPlugin.class);
        super.onCreate(savedInstanceState);
    }
}
