"""The new engine of OpenCV's dnn module."""

#: import
import cv2


#: version
cv2.__version__

#: short load
net = cv2.dnn.readNetFromONNX(path, cv2.dnn.ENGINE_NEW)
assert not net.empty(), "standard error has the reason"

#: short run
for name, feed in FEEDS.items():
    net.setInput(feed, name)
returned = net.forward(net.getUnconnectedOutLayersNames())


#: plain
def load(path):
    net = cv2.dnn.readNetFromONNX(path, cv2.dnn.ENGINE_NEW)
    if net.empty():
        raise RuntimeError("the net is empty: standard error has the reason")
    return net


#: narrow
def run(net, feeds):
    for name, feed in feeds.items():
        net.setInput(feed, name)
    return list(net.forward(net.getUnconnectedOutLayersNames()))


#: wide
def run(net, feeds):
    for name, feed in feeds.items():
        if not isinstance(feed, np.ndarray) or feed.dtype in ("int64", "uint64"):
            raise RuntimeError("the Python package passes arrays of numpy, and int32 for int64 and uint64")
        net.setInput(feed, name)
    return list(net.forward(net.getUnconnectedOutLayersNames()))
