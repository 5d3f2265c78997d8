/// Templates of zwave-js-ui and zigbee2mqtt, and of commands, with results of Jinja and Home Assistant's filters.
enum BridgeTemplates {
    /// Nil: the payload is dropped.
    static let values: [(source: String, payload: String, result: String?)] = [
        ("{{ value_json.value | default('') }}", #"{"value":"KeyPressed"}"#, "KeyPressed"),
        ("{{ value_json.value | default('') }}", #"{"time":1}"#, ""),
        (#"{{ "OFF" if value_json.value == 0 else "ON" }}"#, #"{"value":0}"#, "OFF"),
        (#"{{ "OFF" if value_json.value == 0 else "ON" }}"#, #"{"value":99}"#, "ON"),
        (
            "{{ value_json.value.red }},{{ value_json.value.green }},{{ value_json.value.blue }}",
            #"{"value":{"red":255,"green":128,"blue":0}}"#, "255,128,0"
        ),
        (
            "{{ value_json.value.red }},{{ value_json.value.green }},{{ value_json.value.blue }}",
            #"{"value":{}}"#, ",,"
        ),
        ("{{ value_json.value | round(0) }}", #"{"value":49.5}"#, "50"),
        ("{{ value_json.value | round(0) }}", #"{"value":"x"}"#, nil),
        ("{% if (value_json.value | int) == 0 %} 0 {% else %} 255 {% endif %}", #"{"value":0}"#, "0"),
        ("{% if (value_json.value | int) == 0 %} 0 {% else %} 255 {% endif %}", #"{"value":"12"}"#, "255"),
        (
            "{% if (value_json.value | int) == 0 %} 0 {% elif (value_json.value | int) <= 32 %} 24 {% elif (value_json.value | int) <= 66 %} 50 {% elif (value_json.value | int) <= 99 %} 99 {% endif %}",
            #"{"value":0}"#, "0"
        ),
        (
            "{% if (value_json.value | int) == 0 %} 0 {% elif (value_json.value | int) <= 32 %} 24 {% elif (value_json.value | int) <= 66 %} 50 {% elif (value_json.value | int) <= 99 %} 99 {% endif %}",
            #"{"value":24}"#, "24"
        ),
        (
            "{% if (value_json.value | int) == 0 %} 0 {% elif (value_json.value | int) <= 32 %} 24 {% elif (value_json.value | int) <= 66 %} 50 {% elif (value_json.value | int) <= 99 %} 99 {% endif %}",
            #"{"value":66}"#, "50"
        ),
        (
            "{% if (value_json.value | int) == 0 %} 0 {% elif (value_json.value | int) <= 32 %} 24 {% elif (value_json.value | int) <= 66 %} 50 {% elif (value_json.value | int) <= 99 %} 99 {% endif %}",
            #"{"value":80}"#, "99"
        ),
        (
            "{% if (value_json.value | int) == 0 %} 0 {% elif (value_json.value | int) <= 32 %} 24 {% elif (value_json.value | int) <= 66 %} 50 {% elif (value_json.value | int) <= 99 %} 99 {% endif %}",
            #"{"value":100}"#, ""
        ),
        ("{{ (value_json.value / 99 * 100) | round(0) }}", #"{"value":50}"#, "51"),
        ("{{ (value_json.value / 99 * 100) | round(0) }}", #"{"value":99}"#, "100"),
        ("{{ (value_json.value / 99 * 100) | round(0) }}", #"{"value":null}"#, nil),
        ("{{ {0:0, 16: 1, 32: 2, 48: 3, 64: 4, 80: 5, 96: 6, 99: 7}[value_json.value] }}", #"{"value":48}"#, "3"),
        ("{{ {0:0, 16: 1, 32: 2, 48: 3, 64: 4, 80: 5, 96: 6, 99: 7}[value_json.value] }}", #"{"value":50}"#, ""),
        ("{{ OFF if value_json.value == 0 else ON }}", #"{"value":0}"#, ""),
        (
            "{{ {0:'off', 16: 'silent', 32: 'very low', 48: 'low', 64: 'medium', 80: 'high', 96: 'very high', 99: 'turbo'}[value_json.value] }}",
            #"{"value":99}"#, "turbo"
        ),
        (
            "{{ {0:'off', 16: 'silent', 32: 'very low', 48: 'low', 64: 'medium', 80: 'high', 96: 'very high', 99: 'turbo'}[value_json.value] }}",
            "{}", ""
        ),
        (#"{{ "on" if value_json.value|int > 0 else "0" }}"#, #"{"value":"3"}"#, "on"),
        (#"{{ "on" if value_json.value|int > 0 else "0" }}"#, #"{"value":0}"#, "0"),
        ("{{ (value_json.value|int) | round(0) }}", #"{"value":12.7}"#, "12"),
        (
            "{{ '%03d%03d' | format((value_json.value.warmWhite), (value_json.value.coldWhite)) }}",
            #"{"value":{"warmWhite":7,"coldWhite":255}}"#, "007255"
        ),
        ("{{'true' if value_json.value else 'false'}}", #"{"value":true}"#, "true"),
        ("{{'true' if value_json.value else 'false'}}", #"{"value":false}"#, "false"),
        ("{{'true' if value_json.value else 'false'}}", "alive", nil),
        (
            #"{% set values = {None:None,'idle':'idle','heat':'heating','cool':'cooling','fan_only':'fan'} %}{{ values[value_json["running_state"]] }}"#,
            #"{"running_state":"heat"}"#, "heating"
        ),
        (
            #"{% set values = {None:None,'idle':'idle','heat':'heating','cool':'cooling','fan_only':'fan'} %}{{ values[value_json["running_state"]] }}"#,
            #"{"running_state":null}"#, "None"
        ),
        (
            #"{% set values = {None:None,'idle':'idle','heat':'heating','cool':'cooling','fan_only':'fan'} %}{{ values[value_json["running_state"]] }}"#,
            #"{"running_state":"dry"}"#, ""
        ),
        (
            #"{% set values = {None:None,'idle':'idle','heat':'heating','cool':'cooling','fan_only':'fan'} %}{{ values[value_json["running_state"]] }}"#,
            "{}", ""
        ),
        (
            #"{% if "running" in value_json and value_json["running"] %} {% if value_json["position"] > 0 %} closing {% else %} opening {% endif %} {% else %} stopped {% endif %}"#,
            #"{"running":true,"position":10}"#, "closing"
        ),
        (
            #"{% if "running" in value_json and value_json["running"] %} {% if value_json["position"] > 0 %} closing {% else %} opening {% endif %} {% else %} stopped {% endif %}"#,
            #"{"running":true,"position":0}"#, "opening"
        ),
        (
            #"{% if "running" in value_json and value_json["running"] %} {% if value_json["position"] > 0 %} closing {% else %} opening {% endif %} {% else %} stopped {% endif %}"#,
            #"{"position":10}"#, "stopped"
        ),
        (
            #"{% if "motor_state" in value_json and value_json["motor_state"] %} {{ value_json["motor_state"] }} {% else %} STOP {% endif %}"#,
            #"{"motor_state":"opening"}"#, "opening"
        ),
        (
            #"{% if "motor_state" in value_json and value_json["motor_state"] %} {{ value_json["motor_state"] }} {% else %} STOP {% endif %}"#,
            #"{"motor_state":""}"#, "STOP"
        ),
        (
            #"{{ {'off':0, 'low':1, 'medium':2, 'high':3, 'on':4}[value_json["fan_mode"]] | default('None') }}"#,
            #"{"fan_mode":"medium"}"#, "2"
        ),
        (
            #"{{ {'off':0, 'low':1, 'medium':2, 'high':3, 'on':4}[value_json["fan_mode"]] | default('None') }}"#,
            #"{"fan_mode":"auto"}"#, "None"
        ),
        (
            #"{{ value_json["fan_mode"] if value_json["fan_mode"] in ['auto','smart'] else 'None' | default('None') }}"#,
            #"{"fan_mode":"auto"}"#, "auto"
        ),
        (
            #"{{ value_json["fan_mode"] if value_json["fan_mode"] in ['auto','smart'] else 'None' | default('None') }}"#,
            #"{"fan_mode":"low"}"#, "None"
        ),
        (#"{{ value_json["speed"] | default('None') }}"#, #"{"speed":120}"#, "120"),
        (#"{{ value_json["speed"] | default('None') }}"#, "{}", "None"),
        (#"{% if value_json["occupancy"] %}true{% else %}false{% endif %}"#, #"{"occupancy":true}"#, "true"),
        (#"{% if value_json["occupancy"] %}true{% else %}false{% endif %}"#, #"{"occupancy":false}"#, "false"),
        (
            #"{"latest_version":"{{ value_json['update']['latest_version'] }}","installed_version":"{{ value_json['update']['installed_version'] }}","update_percentage":{{ value_json['update'].get('progress', 'null') }},"in_progress":{{ (value_json['update']['state'] == 'updating')|lower }}}"#,
            #"{"update":{"installed_version":16777237,"latest_version":16777241,"state":"updating","progress":42.5}}"#,
            #"{"latest_version":"16777241","installed_version":"16777237","update_percentage":42.5,"in_progress":true}"#
        ),
        (
            #"{"latest_version":"{{ value_json['update']['latest_version'] }}","installed_version":"{{ value_json['update']['installed_version'] }}","update_percentage":{{ value_json['update'].get('progress', 'null') }},"in_progress":{{ (value_json['update']['state'] == 'updating')|lower }}}"#,
            #"{"update":{"installed_version":1,"latest_version":1,"state":"idle"}}"#,
            #"{"latest_version":"1","installed_version":"1","update_percentage":null,"in_progress":false}"#
        ),
        ("{{ value_json.log_level | lower }}", #"{"log_level":"WARNING"}"#, "warning"),
        (
            "{{ value_json.data.value | tojson }}",
            #"{"data":{"value":{"type":"graphviz","routes":false}}}"#, #"{"routes": false, "type": "graphviz"}"#
        ),
        ("{{ value_json.permit_join | lower }}", #"{"permit_join":true}"#, "true"),
        (
            "{{ value_json.coordinator.meta.revision }}",
            #"{"coordinator":{"meta":{"revision":20240710}}}"#, "20240710"
        ),
    ]

    /// The payload holds the variables of a command.
    static let commands: [(source: String, payload: String, result: String?)] = [
        (
            "{{ {'red': red, 'green': green, 'blue': blue}|to_json }}",
            #"{"red":255,"green":0,"blue":12}"#, #"{"red":255,"green":0,"blue":12}"#
        ),
        ("{{ {0:0, 1: 16, 2: 32, 3: 48, 4: 64, 5: 80, 6: 96, 7: 99}[value] }}", #"{"value":3}"#, "48"),
        ("{{ {0:0, 1: 16, 2: 32, 3: 48, 4: 64, 5: 80, 6: 96, 7: 99}[value] }}", #"{"value":9}"#, ""),
        (
            "{{ {'off': 0, 'silent': 16, 'very low': 32, 'low':48, 'medium': 64, 'high': 80, 'very high': 96, 'turbo': 99}[value] }}",
            #"{"value":"very low"}"#, "32"
        ),
        (
            "{{ {'warmWhite': ((0.7349 * (value - 153))|round(0)), 'coldWhite': (255 - (0.7349 * (value - 153))|round(0)), 'red': 255, 'green': 255, 'blue': 255}|to_json }}",
            #"{"value":300}"#, #"{"warmWhite":108,"coldWhite":147,"red":255,"green":255,"blue":255}"#
        ),
        (#"{ "position": {{ position }} }"#, #"{"position":50}"#, #"{ "position": 50 }"#),
        ("{{ {0:'off', 1:'low', 2:'medium', 3:'high', 4:'on'}[value] | default('') }}", #"{"value":2}"#, "medium"),
        ("{{ {0:'off', 1:'low', 2:'medium', 3:'high', 4:'on'}[value] | default('') }}", #"{"value":7}"#, ""),
        (
            #"{"options": {"advanced": {"log_level": "{{ value }}" } } }"#,
            #"{"value":"debug"}"#, #"{"options": {"advanced": {"log_level": "debug" } } }"#
        ),
        (
            #"{"warning": {"duration": {{ duration | default(10) }}, "mode": "{{ tone | default('emergency') }}", "level": "{% if volume_level is defined %}{% if volume_level | float <= 0.25 %}low{% elif volume_level | float <= 0.5 %}medium{% elif volume_level | float <= 0.75 %}high{% else %}very_high{% endif %}{% else %}medium{% endif %}", "strobe": true}}"#,
            "{}", #"{"warning": {"duration": 10, "mode": "emergency", "level": "medium", "strobe": true}}"#
        ),
        (
            #"{"warning": {"duration": {{ duration | default(10) }}, "mode": "{{ tone | default('emergency') }}", "level": "{% if volume_level is defined %}{% if volume_level | float <= 0.25 %}low{% elif volume_level | float <= 0.5 %}medium{% elif volume_level | float <= 0.75 %}high{% else %}very_high{% endif %}{% else %}medium{% endif %}", "strobe": true}}"#,
            #"{"duration":30,"volume_level":0.6,"tone":"burglar"}"#,
            #"{"warning": {"duration": 30, "mode": "burglar", "level": "high", "strobe": true}}"#
        ),
        ("{{'4' if value=='off' else '31'}}", #"{"value":"off"}"#, "4"),
        ("{{'4' if value=='off' else '31'}}", #"{"value":"heat"}"#, "31"),
        ("{{value.split(' ')[-1]}}", #"{"value":"profile 3"}"#, "3"),
        (
            "{'turn':'on'{%if brightness is defined%},'brightness':{{brightness|float|multiply(0.3922)|round}}{%endif%}{%if transition is defined%},'transition':{{min(transition|multiply(1000), 5000)}}{%endif%}}",
            "{}", "{'turn':'on'}"
        ),
        (
            "{'turn':'on'{%if brightness is defined%},'brightness':{{brightness|float|multiply(0.3922)|round}}{%endif%}{%if transition is defined%},'transition':{{min(transition|multiply(1000), 5000)}}{%endif%}}",
            #"{"brightness":128}"#, "{'turn':'on','brightness':50}"
        ),
        (
            "{'turn':'on'{%if brightness is defined%},'brightness':{{brightness|float|multiply(0.3922)|round}}{%endif%}{%if transition is defined%},'transition':{{min(transition|multiply(1000), 5000)}}{%endif%}}",
            #"{"brightness":255,"transition":2}"#, "{'turn':'on','brightness':100,'transition':2000.0}"
        ),
        (
            "{'turn':'on'{%if brightness is defined%},'brightness':{{brightness|float|multiply(0.3922)|round}}{%endif%}{%if transition is defined%},'transition':{{min(transition|multiply(1000), 5000)}}{%endif%}}",
            #"{"transition":9}"#, "{'turn':'on','transition':5000}"
        ),
        ("{'brightness':{{value|float|round}}}", #"{"value":44.5}"#, "{'brightness':44}"),
        ("{{'#%02x%02x%02x' | format(red, green, blue)}}", #"{"red":0,"green":255,"blue":0}"#, "#00ff00"),
        ("{{ (value * 2.55) | round | int }}", #"{"value":50}"#, "127"),
        ("{{ (value | int / 25) | round(0) | int }}", #"{"value":62}"#, "2"),
        ("{{position-1}}", #"{"position":43}"#, "42"),
        (
            "{% if position < 10 %} 100 {% elif position > 10 and position <= 35 %} 75 {% elif position > 35 and position <= 65 %} 50 {% elif position > 65 and position <= 90 %} 25 {% else %} 0 {% endif %}",
            #"{"position":5}"#, "100"
        ),
        (
            "{% if position < 10 %} 100 {% elif position > 10 and position <= 35 %} 75 {% elif position > 35 and position <= 65 %} 50 {% elif position > 65 and position <= 90 %} 25 {% else %} 0 {% endif %}",
            #"{"position":50}"#, "50"
        ),
        (
            "{% if position < 10 %} 100 {% elif position > 10 and position <= 35 %} 75 {% elif position > 35 and position <= 65 %} 50 {% elif position > 65 and position <= 90 %} 25 {% else %} 0 {% endif %}",
            #"{"position":95}"#, "0"
        ),
        (
            #"{% if value == "natural" %}{"mode":1}{% elif value == "smart" %}{"mode":2}{% else %}{ "mode":0}{% endif %}"#,
            #"{"value":"smart"}"#, #"{"mode":2}"#
        ),
        (
            #"{% set m = {"heat": 1, "dry": 2, "cool": 3, "fan_only": 7, "auto": 8} %}{% if value == "off" %}{"Power": false}{% else %}{"Power": true, "OperationMode": {{ m[value] }}}{% endif %}"#,
            #"{"value":"dry"}"#, #"{"Power": true, "OperationMode": 2}"#
        ),
        (
            #"{% set m = {"heat": 1, "dry": 2, "cool": 3, "fan_only": 7, "auto": 8} %}{% if value == "off" %}{"Power": false}{% else %}{"Power": true, "OperationMode": {{ m[value] }}}{% endif %}"#,
            #"{"value":"off"}"#, #"{"Power": false}"#
        ),
        (
            #"{% if value == "off" %}{"power": "OFF"}{% else %}{"power": "ON", "mode": "{{ value | upper }}"}{% endif %}"#,
            #"{"value":"heat"}"#, #"{"power": "ON", "mode": "HEAT"}"#
        ),
        (
            #"{{ '{\'state\': \'ON\', \'brightness\': ' + ((percentage / 100 * 255) | round(0)) | string + '}' }}"#,
            #"{"percentage":40}"#, "{'state': 'ON', 'brightness': 102}"
        ),
    ]
}
