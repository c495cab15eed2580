// The styles of every table on any page; their order matters.
import "./table.css";
import "./cards.css";
import "./map.css";
import "./choosing.css";
import "./narrow.css";
