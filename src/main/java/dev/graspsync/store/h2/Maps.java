package dev.graspsync.store.h2;

import org.h2.mvstore.MVMap;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;

/** How the maps of the file are typed. */
final class Maps {

    private Maps() {}

    static MVMap.Builder<Long, byte[]> longToBytes() {
        return new MVMap.Builder<Long, byte[]>().keyType(LongDataType.INSTANCE).valueType(ByteArrayDataType.INSTANCE);
    }
}
